"""The library: what `import mensura` offers to programs and notebooks."""
