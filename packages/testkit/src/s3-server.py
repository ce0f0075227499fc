"""
A real S3 store for tests in one process: the account, container, object and proxy servers of OpenStack Swift with its s3api, unchanged, as
Debian's python3-swift brings them. One device, one copy of each object, a dict where Swift would ask memcached. Run by s3-server.ts:

  /usr/bin/python3 s3-server.py FOLDER PORT ACCOUNT:USER SECRET REGION
"""

import json
import logging
import os
import signal
import sys
import time

import eventlet

eventlet.monkey_patch(all=False, socket=True, select=True, thread=True, time=True)

HOST = '127.0.0.1'
ROOT, PORT, ACCESS_KEY, SECRET, REGION = sys.argv[1:6]
ETC, DEVICES = os.path.join(ROOT, 'etc'), os.path.join(ROOT, 'devices')
for folder in (ETC, os.path.join(DEVICES, 'd1')):
    os.makedirs(folder, mode=0o700, exist_ok=True)

# Bound before the rings name them: nobody else can take one meanwhile.
STORES = ('account', 'container', 'object')
sockets = {name: eventlet.listen((HOST, 0)) for name in STORES}
sockets['proxy'] = eventlet.listen((HOST, int(PORT)))
ports = {name: sock.getsockname()[1] for name, sock in sockets.items()}
account, user = ACCESS_KEY.split(':', 1)

GLOBAL = """
[swift-hash]
swift_hash_path_prefix = siarin
swift_hash_path_suffix = test
[storage-policy:0]
name = one
default = yes
"""

# The listing knows an object before its PUT is answered: no updater runs that would add it later.
STORE = """
[DEFAULT]
bind_ip = {host}
bind_port = {port}
swift_dir = {etc}
devices = {devices}
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
workers = 0
log_level = ERROR
container_update_timeout = 30
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
"""

FILTERS = ('catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 's3api', 'tempauth', 'copy', 'slo', 'dlo', 'versioned_writes', 'symlink')
SETTINGS = {
    's3api': 'location = {region}\nmax_upload_part_num = 10000\nmin_segment_size = 5242880',
    'tempauth': 'user_{account}_{user} = {secret} .admin',
    'slo': 'max_manifest_segments = 10000\nmax_manifest_size = 33554432',
    'versioned_writes': 'allow_versioned_writes = true\nallow_object_versioning = true',
}
PROXY = """
[DEFAULT]
bind_ip = {host}
bind_port = {port}
swift_dir = {etc}
workers = 0
log_level = ERROR
[pipeline:main]
pipeline = {pipeline} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
conn_timeout = 5
node_timeout = 60
recoverable_node_timeout = 60
"""


def write(name, text):
    path = os.path.join(ETC, name)
    with open(path, 'w') as out:
        out.write(text)
    return path


swift_conf = write('swift.conf', GLOBAL)
configs = {
    name: write(name + '-server.conf', STORE.format(host=HOST, port=ports[name], etc=ETC, devices=DEVICES, name=name)) for name in STORES
}
proxy = PROXY.format(host=HOST, port=ports['proxy'], etc=ETC, pipeline=' '.join(FILTERS))
for name in FILTERS:
    own = SETTINGS.get(name, '').format(region=REGION, account=account, user=user, secret=SECRET)
    proxy += '[filter:%s]\nuse = egg:swift#%s\n%s\n' % (name, name, own)
configs['proxy'] = write('proxy-server.conf', proxy)

# Swift looks for its global settings in /etc/swift; here they are the test's own.
from swift.common import constraints, storage_policy, utils

utils.SWIFT_CONF_FILE = constraints.SWIFT_CONF_FILE = storage_policy.SWIFT_CONF_FILE = swift_conf
utils.validate_hash_conf()
constraints.reload_constraints()
storage_policy.reload_storage_policies()

from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

for name in STORES:
    builder = RingBuilder(2, 1, 0)
    place = {'ip': HOST, 'port': ports[name], 'replication_ip': HOST, 'replication_port': ports[name]}
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'device': 'd1', 'meta': '', **place})
    builder.rebalance(seed=1)
    builder.get_ring().save(os.path.join(ETC, name + '.ring.gz'))

now = time.time


class Cache(object):
    """What Swift asks of memcached."""

    def __init__(self):
        self.kept = {}

    def get(self, key, raise_on_error=False):
        value, until = self.kept.get(key, (None, 0))
        return value if until == 0 or until > now() else None

    def set(self, key, value, serialize=True, time=0, min_compress_len=0, raise_on_error=False):
        self.kept[key] = (json.loads(json.dumps(value)), now() + time if time else 0)

    def incr(self, key, delta=1, time=0):
        value = max(0, int(self.get(key) or 0) + delta)
        self.set(key, value, time=time)
        return value

    def decr(self, key, delta=1, time=0):
        return self.incr(key, -delta, time)

    def delete(self, key, server_key=None):
        self.kept.pop(key, None)

    def set_multi(self, mapping, server_key=None, serialize=True, time=0, min_compress_len=0):
        for key, value in mapping.items():
            self.set(key, value, time=time)

    def get_multi(self, keys, server_key=None):
        return [self.get(key) for key in keys]


cache = Cache()


def with_cache(app):
    def handle(env, start_response):
        env['swift.cache'] = cache
        return app(env, start_response)

    return handle


quiet = logging.getLogger('eventlet')
quiet.addHandler(logging.NullHandler())
quiet.propagate = False
pool = eventlet.GreenPool(4096)
for name, config in configs.items():
    app = loadapp(config, global_conf={'log_name': name})
    app = with_cache(app) if name == 'proxy' else app
    serving = {'protocol': SwiftHttpProtocol, 'custom_pool': pool, 'log_output': False, 'keepalive': True}
    eventlet.spawn(eventlet.wsgi.server, sockets[name], app, quiet, **serving)

signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
while True:
    eventlet.sleep(3600)
