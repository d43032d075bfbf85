"""What people confirmed survives whatever ends the page: ``python -m tests.webui.crashes --help``.

Devices play scripted games on a page in a process of its own and write down, outside of it, what the page has
confirmed. The page is killed, its disk filled, its power cut, at random moments; then what it kept is compared.
"""
