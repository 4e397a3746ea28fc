"""Edits the layer of captures as its owner, with arcgis, and prints what was left at each step.

    edit.py SERVICES NAME PASSWORD

SERVICES is https://HOST:PORT/arcgis/rest/services. The name is sent for a token here, since arcgis
sends one only to portals with a login page.
"""

import json
import ssl
import sys
import urllib.parse
import urllib.request

from arcgis.features import Feature, FeatureLayer
from arcgis.gis import GIS

services, name, password = sys.argv[1:]
portal = services.split("/rest/")[0]
form = {"username": name, "password": password, "client": "requestip", "f": "json"}
answer = urllib.request.urlopen(
    portal + "/tokens/generateToken", urllib.parse.urlencode(form).encode(),
    context=ssl._create_unverified_context())
gis = GIS(portal, token=json.load(answer)["token"], verify_cert=False)
layer = FeatureLayer(services + "/TrailWalker/FeatureServer/0", gis=gis)


def left():
    found = layer.query(where="1=1", out_fields="*", out_sr=4326).features
    return [[f.attributes["Equip"], round(f.geometry["x"], 6), round(f.geometry["y"], 6)]
            for f in found]


def capture(team, x):
    return Feature(
        geometry={"x": x, "y": 42.1, "spatialReference": {"wkid": 4326}},
        attributes={"Equip": team, "Entrada": 1776594840000})


steps = []
added = layer.edit_features(adds=[capture("Els Cabirols", 2.5), capture("Els Senglars", 2.6)])
steps.append(left())
first, second = [result["objectId"] for result in added["addResults"]]
layer.edit_features(
    adds=[capture("Les Fagedes", 2.7)], deletes=str(second),
    updates=[{"attributes": {"OBJECTID": first, "Equip": "Els Isards"}}])
steps.append(left())
layer.delete_features(where="Equip = 'Els Isards'")
steps.append(left())
print("\n" + json.dumps(steps), flush=True)
