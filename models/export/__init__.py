"""Export to ONNX, quantization to 8 bits, and calibration of what is shipped."""
