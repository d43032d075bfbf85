"""Crash tests: what people agreed on survives whatever ends the server; many crashes with ``make slow``.

Simulated devices play scripted games on a server in a process of its own, and record outside of it what the server has
confirmed. The server is killed, its disk filled or its power cut at random moments; then the stored data is checked.
"""
