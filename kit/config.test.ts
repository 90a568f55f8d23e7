import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('every setting has a default', () => {
  expect(readConfig({})).toMatchObject({
    port: 8000,
    projectPort: 8001,
    host: '127.0.0.1',
    url: 'http://localhost:8000',
    projectUrl: 'http://localhost:8001/{ref}',
    localMailbox: true,
  })
})

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', SMTP_URL: '' })).toMatchObject({ port: 8000, smtpUrl: undefined })
})

test.each([
  [{ HOST: '0.0.0.0' }, false],
  [{ SMTP_URL: 'smtp://mail.example.com' }, false],
  [{ HOST: 'localhost' }, true],
  [{ PLINTH_URL: 'https://plinth.example.com' }, false],
])('the local mailbox with %o: %s', (environment, exists) => {
  expect(readConfig(environment).localMailbox).toBe(exists)
})

test.each([
  [{}, { low: 1024, high: 65_535 }],
  [{ HOST: '0.0.0.0' }, undefined],
  [
    { HOST: '0.0.0.0', PLINTH_LISTEN_PORTS: '54000-54100' },
    { low: 54_000, high: 54_100 },
  ],
  [{ PLINTH_LISTEN_PORTS: 'off' }, undefined],
  [{ PLINTH_DATA_PLANE: 'http://data.example.com' }, undefined],
  [{ PLINTH_DATA_PLANE: 'http://127.0.0.1:9001' }, { low: 1024, high: 65_535 }],
])('ports of projects with %o: %o', (environment, ports) => {
  expect(readConfig(environment).listenPorts).toEqual(ports)
})

test.each([
  [{ PLINTH_LISTEN_PORTS: '80-90' }, /^PLINTH_LISTEN_PORTS: /],
  [{ PLINTH_LISTEN_PORTS: '1000-2000' }, /^PLINTH_LISTEN_PORTS: must be from 1024/],
  [
    { PLINTH_LISTEN_PORTS: '2000-3000', PLINTH_DATA_PLANE: 'http://data.example.com' },
    /^PLINTH_LISTEN_PORTS: needs a data plane on this machine/,
  ],
  [{ PORT: 'eighty' }, /^PORT: /],
  [{ PORT: '70000' }, /^PORT: /],
  [{ PLINTH_PROJECT_URL: 'http://localhost' }, /^PLINTH_PROJECT_URL: must contain {ref}/],
  [{ PLINTH_PROJECT_URL: 'ftp://{ref}' }, /^PLINTH_PROJECT_URL: must start with http/],
  [{ PLATFORM_DATABASE_URL: 'mysql://x' }, /^PLATFORM_DATABASE_URL: must start with postgres/],
  [{ PLINTH_DATABASE_PORTS: '60000-50000' }, /^PLINTH_DATABASE_PORTS: /],
  [{ PLINTH_INTERNAL_TOKEN: 'short' }, /^PLINTH_INTERNAL_TOKEN: /],
  [{ PLINTH_TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /^PLINTH_TRUSTED_PROXIES: /],
  [{ PLINTH_TRUSTED_PROXIES: '10.0.0.0/33' }, /^PLINTH_TRUSTED_PROXIES: /],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: /],
  [{ PLINTH_MODE: 'other' }, /^PLINTH_MODE: /],
])('%o stops with a line that names it', (environment, line) => {
  expect(() => readConfig(environment)).toThrow(line)
})

test('each bad value gets a line of its own', () => {
  try {
    readConfig({ PORT: 'x', SMTP_URL: 'y' })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    expect(String(error).split('\n')).toHaveLength(2)
  }
})

test('databases run in a cluster, at an agent, or here', () => {
  const inCluster = readConfig({ PLINTH_COMPUTE: 'kubernetes', PLINTH_KUBERNETES_STORAGE: '20Gi' })
  expect(inCluster.kubernetes).toMatchObject({ storage: '20Gi', platformNamespace: 'plinth' })
  expect(inCluster.compute.url).toBeUndefined()
  const PLINTH_COMPUTE_TOKEN = 'x'.repeat(32)
  const agent = readConfig({ PLINTH_COMPUTE: 'http://127.0.0.1:8002/', PLINTH_COMPUTE_TOKEN })
  expect(agent.kubernetes).toBeUndefined()
  expect(agent.compute.url).toBe('http://127.0.0.1:8002')
  expect(readConfig({}).kubernetes).toBeUndefined()
})

test('backups of a cluster need a bucket, its key and where it is, all together', () => {
  const all = {
    PLINTH_COMPUTE: 'kubernetes',
    PLINTH_KUBERNETES_BACKUP_BUCKET: 'backups',
    PLINTH_KUBERNETES_BACKUP_CREDENTIALS: 'backup-key',
    PLINTH_KUBERNETES_BACKUP_NETWORKS: '192.0.2.0/24, 2001:db8::/32',
  }
  expect(readConfig(all).kubernetes?.backups).toMatchObject({
    bucket: 'backups',
    region: 'us-east-1',
    secret: 'backup-key',
    networks: ['192.0.2.0/24', '2001:db8::/32'],
    dnsNamespace: 'kube-system',
  })
  expect(readConfig({ PLINTH_COMPUTE: 'kubernetes' }).kubernetes?.backups).toBeUndefined()
  for (const name of ['CREDENTIALS', 'NETWORKS'].map((end) => `PLINTH_KUBERNETES_BACKUP_${end}`))
    expect(() => readConfig({ ...all, [name]: undefined })).toThrow(
      `${name}: must be set together with PLINTH_KUBERNETES_BACKUP_BUCKET`,
    )
  expect(() => readConfig({ ...all, PLINTH_KUBERNETES_BACKUP_BUCKET: undefined })).toThrow(
    'PLINTH_KUBERNETES_BACKUP_BUCKET: must be set together with',
  )
  for (const wrong of ['192.0.2.1', 's3.example.com', '192.0.2.0/33', '192.0.2.0/24/1'])
    expect(() => readConfig({ ...all, PLINTH_KUBERNETES_BACKUP_NETWORKS: wrong })).toThrow(
      'must be ranges such as 192.0.2.0/24',
    )
})

test.each([
  ['PLINTH_COMPUTE', 'docker', 'PLINTH_COMPUTE: must be kubernetes, or start with http://'],
  ['PLINTH_KUBERNETES_STORAGE', '10', 'PLINTH_KUBERNETES_STORAGE: must be a size such as 10Gi'],
  ['PLINTH_KUBERNETES_NAMESPACE', 'No_Name', 'must be a name of Kubernetes'],
])('%s=%s is refused', (name, value, words) => {
  expect(() => readConfig({ [name]: value })).toThrow(words)
})
