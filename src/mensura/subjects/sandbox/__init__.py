"""The sandbox: what a program or a file may see and reach."""
