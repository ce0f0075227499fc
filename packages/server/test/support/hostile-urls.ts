/** Where a test's own listener waits to be reached; every address of this machine leads to it. */
type Address = (port: number) => string

const host =
  (name: string): Address =>
  (port) =>
    `http://${name}:${port}/x.m3u8`

/** They look like an HTTP address and must not be fetched, or lead to something that is no web server. */
const SCHEMES: Record<string, Address> = {
  'a file': () => 'file:///etc/passwd',
  'a file on a host': (port) => `file://127.0.0.1:${port}/etc/passwd`,
  ftp: (port) => `ftp://127.0.0.1:${port}/x.m3u8`,
  gopher: (port) => `gopher://127.0.0.1:${port}/_PING`,
  dict: (port) => `dict://127.0.0.1:${port}/info`,
  ldap: (port) => `ldap://127.0.0.1:${port}/x`,
  data: () => 'data:application/vnd.apple.mpegurl,%23EXTM3U',
  javascript: () => 'javascript:alert(1)',
  blob: (port) => `blob:http://127.0.0.1:${port}/x`,
  websocket: (port) => `ws://127.0.0.1:${port}/x`,
  "ffmpeg's concat": (port) => `concat:http://127.0.0.1:${port}/a|http://127.0.0.1:${port}/b`,
  "ffmpeg's concatf": () => 'concatf:/etc/passwd',
  "ffmpeg's subfile": () => 'subfile,,start,0,end,100,,:/etc/passwd',
  "ffmpeg's pipe": () => 'pipe:0',
  "ffmpeg's fd": () => 'fd:0',
  "ffmpeg's tcp": (port) => `tcp://127.0.0.1:${port}`,
  "ffmpeg's udp": (port) => `udp://127.0.0.1:${port}`,
  "ffmpeg's tls": (port) => `tls://127.0.0.1:${port}`,
  "ffmpeg's rtp": (port) => `rtp://127.0.0.1:${port}`,
  "ffmpeg's rtsp": (port) => `rtsp://127.0.0.1:${port}/x`,
  "ffmpeg's srt": (port) => `srt://127.0.0.1:${port}`,
  "ffmpeg's mms": (port) => `mmsh://127.0.0.1:${port}/x`,
  "ffmpeg's httpproxy": (port) => `httpproxy://127.0.0.1:${port}/x`,
  "ffmpeg's crypto": (port) => `crypto+http://127.0.0.1:${port}/x.m3u8`,
  "ffmpeg's cache": (port) => `cache:http://127.0.0.1:${port}/x.m3u8`,
  "ffmpeg's async": (port) => `async:http://127.0.0.1:${port}/x.m3u8`,
  "ffmpeg's hls": (port) => `hls+http://127.0.0.1:${port}/x.m3u8`,
  'a unix socket': () => 'unix:/var/run/docker.sock',
  'a unix socket over http': () => 'http+unix://%2Fvar%2Frun%2Fdocker.sock/x',
  'a name and a password': (port) => `http://admin:admin@127.0.0.1:${port}/x.m3u8`,
  'a name that looks like the host': (port) => `http://example.com@127.0.0.1:${port}/x.m3u8`,
  'a name that hides the host': (port) => `http://example.com%2F@127.0.0.1:${port}/x.m3u8`,
  'no host': () => 'http:///x.m3u8',
  'no address': () => '//x.m3u8 and more',
}

/** Every way to write an address that is somebody's inside. */
const NUMBERS: Record<string, Address> = {
  loopback: host('127.0.0.1'),
  'another loopback': host('127.8.9.10'),
  'loopback, in short': host('127.1'),
  'loopback, as one number': host('2130706433'),
  'loopback, in octal': host('0177.0.0.1'),
  'loopback, in octal as one number': host('017700000001'),
  'loopback, in hex': host('0x7f.0.0.1'),
  'loopback, in hex as one number': host('0x7f000001'),
  'loopback, of each a bit': host('0x7f.0.1'),
  'loopback, with a dot behind it': host('127.0.0.1.'),
  'loopback, in full-width digits': host('１２７.０.０.１'),
  'loopback, in circled digits': host('①②⑦.⓪.⓪.①'),
  'loopback, escaped': host('%31%32%37.0.0.1'),
  'loopback, with other dots': host('127。0。0。1'),
  'loopback, behind a backslash': (port) => `http:\\\\127.0.0.1:${port}\\x.m3u8`,
  'loopback, behind one slash': (port) => `http:/127.0.0.1:${port}/x.m3u8`,
  'loopback, with tabs in it': (port) => `ht\ttp://127.0.0\t.1:${port}/x.m3u8`,
  'nobody in particular': host('0.0.0.0'),
  'nobody, in short': host('0'),
  'this network': host('0.1.2.3'),
  'private, class A': host('10.0.0.1'),
  'private, class B': host('172.16.0.1'),
  'private, class C': host('192.168.0.1'),
  'shared by carriers': host('100.64.0.1'),
  "a cloud's metadata": host('169.254.169.254'),
  "a cloud's metadata, as one number": host('2852039166'),
  'protocol assignments': host('192.0.0.1'),
  documentation: host('192.0.2.1'),
  'more documentation': host('203.0.113.1'),
  'bench marks': host('198.18.0.1'),
  multicast: host('224.0.0.1'),
  reserved: host('240.0.0.1'),
  broadcast: host('255.255.255.255'),
  'IPv6 loopback': host('[::1]'),
  'IPv6 loopback, in full': host('[0000:0000:0000:0000:0000:0000:0000:0001]'),
  'IPv6 nobody': host('[::]'),
  'IPv6, mapped': host('[::ffff:127.0.0.1]'),
  'IPv6, mapped in hex': host('[::ffff:7f00:1]'),
  'IPv6, compatible': host('[::127.0.0.1]'),
  'IPv6, translated': host('[::ffff:0:127.0.0.1]'),
  'IPv6, NAT64': host('[64:ff9b::127.0.0.1]'),
  'IPv6, NAT64 of a site': host('[64:ff9b:1::7f00:1]'),
  'IPv6, 6to4': host('[2002:7f00:1::]'),
  'IPv6, Teredo': host('[2001:0:7f00:1::]'),
  'IPv6, unique local': host('[fd00::1]'),
  'IPv6, site local': host('[fec0::1]'),
  'IPv6, link local': host('[fe80::1]'),
  'IPv6, link local with a zone': host('[fe80::1%25lo]'),
  'IPv6, multicast': host('[ff02::1]'),
  'IPv6, documentation': host('[2001:db8::1]'),
  'IPv6, discarded': host('[100::1]'),
  'IPv6, never given out': host('[4000::1]'),
  'IPv6, brackets in brackets': host('[[::1]]'),
  'IPv6, without brackets': host('::1'),
}

/** What the name server of the test says. Each name is asked for afresh: nothing is kept. */
export const INWARD_NAMES = {
  localhost: [['127.0.0.1', '::1']],
  'inner.test': [['127.0.0.1']],
  'inner6.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'nat64.test': [['64:ff9b::7f00:1']],
  'nobody.test': [['0.0.0.0']],
  'metadata.test': [['169.254.169.254']],
  'mixed.test': [['8.8.8.8', '127.0.0.1']],
  'mixed6.test': [['8.8.8.8', '::1']],
  'alias.test': [{ cname: 'inner.test' }],
  'gone.test': [[]],
} as const

const NAMES: Record<string, Address> = {
  ...Object.fromEntries(Object.keys(INWARD_NAMES).map((name) => [`the name ${name}`, host(name)])),
  'a name in capitals': host('LOCALHOST'),
  'a name with a dot behind it': host('localhost.'),
  'a name below localhost': host('a.localhost'),
  'a port of mail': () => 'http://8.8.8.8:25/x.m3u8',
  'a port of a store': () => 'http://8.8.8.8:6379/x.m3u8',
}

/** As an address to fetch from. */
export const HOSTILE_ADDRESSES: readonly (readonly [string, Address])[] = Object.entries({
  ...SCHEMES,
  ...NUMBERS,
  ...NAMES,
})

/** The same as an address to broadcast to: what differs from one place to another is the host. Ports are a platform's own affair. */
export const HOSTILE_TARGETS: readonly (readonly [string, Address])[] = HOSTILE_ADDRESSES.filter(
  ([what]) => !what.startsWith('a port of'),
).map(([what, address]) => [
  what,
  (port) =>
    address(port).replace(
      /^(ht\t?tp:[\\/]+.*[\\/])x\.m3u8$/s,
      (_whole, start: string) => `${start.replace(/^ht\t?tp/, 'rtmp')}live/kunci`,
    ),
])
