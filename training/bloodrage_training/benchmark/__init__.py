"""Benchmarks with fixed, versioned protocols: `bloodrage benchmark`, its result files, and their verification."""
