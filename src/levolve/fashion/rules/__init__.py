"""The rules that come with levolve, one TOML file each."""
