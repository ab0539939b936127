"""What runs beyond the wall: launcher, zygote, monitor, guest.

Only this folder is mounted into the sandbox, as the package `inside`: its modules import the standard library and each
other (relatively), nothing else of OpenPlaybook.
"""
