"""How fast texts become graphs, graphs are mapped, and a corpus is searched, and how near mappings are to optimal."""
