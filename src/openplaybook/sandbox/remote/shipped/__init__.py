"""What runs on the remote machine. It is sent there with each request, so that nothing of ours has to be installed.

Standard library only, relative imports only, Python 3.11 or later. The walls are the machine's own: this code keeps
time and sizes, and whoever runs in the machine could get round it and would harm only what it may have anyway.
"""
