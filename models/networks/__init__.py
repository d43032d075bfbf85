"""The networks as PyTorch modules: architecture, loading of checkpoints, export to ONNX."""
