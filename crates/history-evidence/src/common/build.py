#!/usr/bin/env python3
"""Writes names.txt: names that are common in the documentation and the code of public packages. Nobody has to look them up.

    python3 build.py [CACHE]

The packages are those below, with their versions, read by the clients of their registries: pip, npm, cargo (those of Cargo.lock, which
`cargo fetch` has) and apt-get. None of them reads the logs of agents: their field names would hide losses. A name counts once a package,
however often it has it, and is common in three of them: at two, 68,000 names are left, and at five, one of eight false alarms more
(docs/validation.md)."""
import collections, glob, io, json, os, re, subprocess, sys, tarfile, tempfile, zipfile, zlib

PYPI = """aiohttp==3.11.11 ansible-core==2.18.1 attrs==24.3.0 black==24.10.0 celery==5.4.0 click==8.1.8 Django==5.1.4 fastapi==0.115.6
Flask==3.1.0 gunicorn==23.0.0 httpx==0.28.1 Jinja2==3.1.5 jupyter_client==8.6.3 networkx==3.4.2 paramiko==3.5.0 poetry-core==1.9.1
pytest==8.3.4 requests==2.32.3 rich==13.9.4 scrapy==2.12.0 setuptools==75.6.0 Sphinx==8.1.3 SQLAlchemy==2.0.36 tornado==6.4.2""".split()
NPM = """axios@1.7.9 commander@13.0.0 eslint@9.17.0 express@4.21.2 fastify@5.2.0 jest-cli@29.7.0 mongoose@8.9.2 prisma@6.1.0
socket.io@4.8.1 vite@6.0.6 vue@3.5.13 webpack@5.97.1""".split()
CRATES = "clap_builder cargo_metadata insta rayon regex reqwest rustls serde_json tokio tracing ureq".split()
DEBIAN = """golang-github-spf13-cobra-dev golang-github-gin-gonic-gin-dev golang-google-grpc-dev golang-github-prometheus-client-golang-dev
golang-github-stretchr-testify-dev golang-github-sirupsen-logrus-dev golang-github-spf13-viper-dev golang-github-urfave-cli-dev
golang-golang-x-tools-dev golang-golang-x-net-dev golang-github-docker-docker-dev golang-github-containerd-containerd-dev
golang-github-opencontainers-runc-dev golang-github-minio-minio-go-v7-dev golang-go.uber-zap-dev golang-etcd-server-dev git""".split()

LEAST = 3
TEXTS = re.compile(r'\.(py|rs|go|ts|tsx|js|jsx|mjs|md|rst|sh|yml|yaml|toml|txt|json|cfg|html)$|METADATA$')
CHAIN = re.compile(r'[A-Za-z0-9_@#$]+(?:[./:\-]+[A-Za-z0-9_]+)*')


def names(text):
    """Words with the marks that may stand inside names, and the parts of paths and dotted names."""
    for match in CHAIN.finditer(text):
        name = match[0].strip('@#$').lower()
        yield name
        parts = re.split(r'[/:]', name)
        dotted = parts[-1].split('.')
        if len(parts) + len(dotted) > 2:
            yield from parts
            yield from dotted
            yield from ('/'.join(parts[at:at + 2]) for at in range(len(parts) - 1))
            yield from ('.'.join(dotted[at:at + 2]) for at in range(len(dotted) - 1))


def files_of_archive(path):
    data = open(path, 'rb').read()
    if path.endswith(('.zip', '.whl')):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist())
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            if member.isfile():
                yield member.name, archive.extractfile(member).read()


def files_of_folder(path):
    for folder, _, files in os.walk(path):
        for name in (os.path.join(folder, name) for name in sorted(files)):
            if os.path.isfile(name):
                yield name[len(path):], open(name, 'rb').read()


def names_of_package(files):
    """The names of at most 900 files of a package and 5 MB: no package is more of a witness than others."""
    texts = sorted((zlib.crc32(name.encode()), text) for name, text in files if TEXTS.search(name) and len(text) < 150_000)
    found, size = set(), 0
    for _, text in texts[:900]:
        size += len(text)
        if size > 5_000_000:
            break
        found.update(names(text.decode('utf-8', 'replace')))
    return found


def fetch(cache, name, command):
    folder = os.path.join(cache, re.sub(r'\W+', '-', name))
    if not os.path.isdir(folder):
        os.makedirs(folder)
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder


def packages(cache):
    for name in PYPI:
        folder = fetch(cache, name, [sys.executable, '-m', 'pip', 'download', '--no-deps', name])
        yield name, (file for path in glob.glob(folder + '/*') for file in files_of_archive(path))
    for name in NPM:
        folder = fetch(cache, name, ['npm', 'pack', '--silent', name])
        yield name, (file for path in glob.glob(folder + '/*.tgz') for file in files_of_archive(path))
    registry = os.path.expanduser('~/.cargo/registry/src')
    for name in CRATES:
        found = sorted(glob.glob(f'{registry}/*/{name}-[0-9]*'))
        if found:
            yield name, files_of_folder(found[-1])
    for name in DEBIAN:
        folder = fetch(cache, name, ['apt-get', 'download', name])
        for path in glob.glob(folder + '/*.deb'):
            if not os.path.isdir(folder + '/files'):
                subprocess.run(['dpkg-deb', '-x', path, folder + '/files'], check=True)
        yield name, files_of_folder(folder + '/files')


def main():
    cache = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
    counts, witnesses = collections.Counter(), 0
    for name, files in packages(cache):
        found = names_of_package(files)
        print(f'{len(found):8,} {name}', file=sys.stderr)
        witnesses += len(found) > 300
        counts.update(found)
    is_name = lambda name: 2 <= len(name) <= 40 and re.search('[a-z]', name) and not re.search(r'^[0-9a-f]{7,}$|\d{4}', name)
    common = sorted(name for name, count in counts.items() if count >= LEAST and is_name(name))
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'names.txt')
    with open(place, 'w') as out:
        out.write('\n'.join(common) + '\n')
    print(f'{witnesses} packages, {len(common):,} names, {os.path.getsize(place):,} bytes', file=sys.stderr)


main()
