"""Bridges to tools of others, one module or package each. The other library is imported on first
use only.
"""
