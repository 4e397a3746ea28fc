"""Reads the layer of captures with a client that others wrote.

    read.py READER SERVICES

SERVICES is http://HOST:PORT/arcgis/rest/services. Prints a JSON list of [UUID, longitude, latitude].
"""

import json
import os
import sys
import tempfile


def of_geojson(features):
    return [[f["properties"]["UUID"], *f["geometry"]["coordinates"][:2]] for f in features]


def of_frame(frame):
    frame = frame.to_crs(4326)
    return [[row.UUID, row.geometry.x, row.geometry.y] for row in frame.itertuples()]


def read_esridump(layer):
    from esridump.dumper import EsriDumper

    return of_geojson(EsriDumper(layer))


def read_pyogrio(layer):
    import pyogrio

    # With this prefix GDAL reads page by page.
    frame = pyogrio.read_dataframe("ESRIJSON:" + layer + "/query?where=1%3D1&outFields=*&f=json")
    assert str(frame.Entrada.dtype).startswith("datetime64"), frame.dtypes
    return of_frame(frame)


def read_pygeoapi(layer):
    from pygeoapi.provider.esri import ESRIServiceProvider

    provider = ESRIServiceProvider(
        {"name": "ESRI", "type": "feature", "data": layer, "id_field": "OBJECTID",
         "title_field": "UUID", "time_field": "Entrada"})
    hits = provider.query(resulttype="hits")["numberMatched"]
    features = []
    while len(features) < hits:
        page = provider.query(offset=len(features), limit=100)["features"]
        assert page, (len(features), hits)
        features += page
    return of_geojson(features)


def read_esri2gpd(layer):
    import esri2gpd

    return of_frame(esri2gpd.get(layer))


def read_pygeoogc(layer):
    # It makes a folder for answers where it is, and would find those of a server that had the same
    # address.
    os.environ["HYRIVER_CACHE_DISABLE"] = "true"
    folder = tempfile.TemporaryDirectory()
    os.chdir(folder.name)
    from pygeoogc import ArcGISRESTful

    service, number = layer.rsplit("/", 1)
    client = ArcGISRESTful(service, int(number), outformat="geojson", outfields="*", crs=4326)
    # Catalonia.
    pages = client.get_features(client.oids_bygeom((0.0, 40.0, 4.0, 43.0)))
    folder.cleanup()
    return of_geojson([feature for page in pages for feature in page["features"]])


def read_bmi(layer):
    import restapi

    found = restapi.FeatureLayer(layer).query(where="1=1", outSR=4326, exceed_limit=True)
    return of_geojson([feature.json for feature in found])


def read_arcgis(layer):
    """arcgis only reads layers of a portal, over TLS, or of www.arcgis.com: here it is told that it
    has been there."""
    from arcgis.features import FeatureLayer
    from arcgis.gis import GIS

    gis = GIS(layer.split("/rest/")[0], verify_cert=False)
    found = FeatureLayer(layer, gis=gis).query(where="1=1", out_fields="*", out_sr=4326)
    return [[f.attributes["UUID"], f.geometry["x"], f.geometry["y"]] for f in found.features]


def main():
    reader, services = sys.argv[1:]
    rows = globals()["read_" + reader](services + "/TrailWalker/FeatureServer/0")
    # Readers print their own news on the same stream.
    print("\n" + json.dumps(rows), flush=True)
    # pygeoogc leaves a thread that does not end.
    os._exit(0)


main()
