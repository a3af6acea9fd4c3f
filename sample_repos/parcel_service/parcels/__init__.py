"""Parcel service: quote, book and track parcels with several carriers."""

__version__ = "0.7.2"
