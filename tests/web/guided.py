"""A test that instructs first, asks a key twice and says how many questions there are."""

from mensura.dialogue import Ask, Save, Text, test


@test("guided-v1", questions=2)
def guided(rng, *, saved=None):
    """Read first, then answer."""
    if saved is None:
        yield Ask("Read **this** first. <script>document.title = 'run'</script>")
        yield Ask("Why?", Text(lines=1), key="why")
        yield Ask("Why really?", Text(lines=1), key="why")
        yield Save({})
    for key in ("how", "when"):
        yield Ask(f"And {key}?", Text(lines=1), key=key)
        yield Ask("Told between questions.")
