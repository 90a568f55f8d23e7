import { spawnSync } from 'node:child_process'
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { answered, freePort } from './engines-wait.mjs'

const kinds = ['account', 'container', 'object']
const bucket = 'plinth'
const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }

/** A ring of one device: everything lies once, below `folder`. */
function makeRing(folder, kind, port) {
  const builder = join(folder, `${kind}.builder`)
  const device = ['add', `r1z1-127.0.0.1:${port}/d1`, '1']
  for (const args of [['create', '4', '1', '1'], device, ['rebalance']]) {
    const { status, stdout, stderr } = spawnSync('swift-ring-builder', [builder, ...args], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`swift-ring-builder ${args.join(' ')}: ${stdout}${stderr}`)
  }
}

const common = (folder, port) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
`

const serverConfig = (folder, kind, port) => `${common(folder, port)}
[pipeline:main]
pipeline = healthcheck ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
[filter:healthcheck]
use = egg:swift#healthcheck
`

const proxyConfig = (folder, port, cachePort) => `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${credentials.secretAccessKey} .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
${[
  'catch_errors',
  'gatekeeper',
  'healthcheck',
  'listing_formats',
  'bulk',
  'copy',
  'slo',
  'dlo',
  'versioned_writes',
  'symlink',
]
  .map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`)
  .join('')}`

/** Swift with its S3 layer, on this machine alone, with a bucket for the tests. Its folder has to keep extended attributes. */
export async function startSwift({ folder, start }) {
  mkdirSync(join(folder, 'devices/d1'), { recursive: true })
  async function run(kind, port, config) {
    const [file, log] = [join(folder, `${kind}-server.conf`), join(folder, `${kind}.log`)]
    writeFileSync(file, config)
    const out = openSync(log, 'a')
    const child = start(`swift-${kind}-server`, [file, '-v'], { stdio: ['ignore', out, out] })
    await answered(`swift-${kind}-server`, `http://127.0.0.1:${port}/healthcheck`, log, child)
  }
  const cachePort = await freePort()
  const user = process.getuid?.() === 0 ? ['-u', userInfo().username] : []
  start('memcached', ['-l', '127.0.0.1', '-p', String(cachePort), ...user], { stdio: 'ignore' })
  for (const kind of kinds) {
    const port = await freePort()
    makeRing(folder, kind, port)
    await run(kind, port, serverConfig(folder, kind, port))
  }
  const port = await freePort()
  await run('proxy', port, proxyConfig(folder, port, cachePort))
  const endpoint = `http://127.0.0.1:${port}`
  const s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  s3.destroy()
  const { swift } = await (await fetch(`${endpoint}/info`)).json()
  return {
    version: swift.version,
    env: {
      PLINTH_S3_BUCKET: bucket,
      PLINTH_S3_ENDPOINT: endpoint,
      PLINTH_S3_REGION: 'us-east-1',
      PLINTH_S3_PREFIX: 'a/b',
      PLINTH_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      PLINTH_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  }
}
