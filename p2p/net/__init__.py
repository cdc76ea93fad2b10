"""What carries the protocol: links and discovery on the network, the store on disk, the node that ties them
together.
"""
