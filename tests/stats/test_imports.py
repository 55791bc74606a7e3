import subprocess
import sys


def test_importing_the_package_imports_no_heavy_library():
    code = "import sys, mensura.stats; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"scipy", "statsmodels", "pandas", "krippendorff"} & set(loaded)
