import { expect, test } from 'vitest'
import { readServerSettings } from '#data-plane/rest/server/server-settings'
import { unneededIn } from '#data-plane/rest/server/setting-table'
import { readConfigFile, readRestConfig } from './rest-config.ts'

const files: Record<string, string> = {
  'rest.conf': `
    # where it is
    db-uri = "postgres://login:pass@db.example:6432/app"   # with a comment behind
    db-schemas = "api, public"
    db-pool = 5
    db-plan-enabled = true
    app.settings.greeting = "say \\"hi\\"\\n\\u00e4"
  `,
  secret: `${'s'.repeat(40)}\n`,
  address: 'postgres:///app?host=/run/postgres&sslmode=disable\n',
}
function readFile(file: string): string {
  const text = files[file]
  if (text === undefined) throw new Error(`ENOENT: no such file, open '${file}'`)
  return text
}
const read = (args: string[], environment: Record<string, string> = {}) =>
  readServerSettings(readRestConfig(args, environment, readFile))

test('defaults are those of PostgREST', () => {
  expect(read([])).toMatchObject({
    database: { config: {}, ways: [{ rejectUnauthorized: false }, false] },
    anonRole: undefined,
    schemas: ['public'],
    extraSearchPath: ['public'],
    pool: 10,
    poolWaitMs: 10_000,
    fromDatabase: true,
    keys: undefined,
    roleClaim: [{ kind: 'key', name: 'role' }],
    host: '0.0.0.0',
    port: 3000,
    allowedOrigins: undefined,
    logLevel: 'error',
  })
})

test('a file', () => {
  expect(read(['rest.conf'])).toMatchObject({
    database: {
      config: { user: 'login', password: 'pass', host: 'db.example', port: 6432, database: 'app' },
    },
    schemas: ['api', 'public'],
    pool: 5,
    options: new Map([['db_plan_enabled', 'true']]),
    everyRequest: [['app.settings.greeting', 'say "hi"\nä']],
  })
})

test('flags come before the environment, which comes before the file', () => {
  const environment = {
    PGRST_DB_POOL: '6',
    PGRST_DB_SCHEMAS: 'mine',
    PGRST_APP_SETTINGS_greeting: 'x',
  }
  const both = read(['--db-pool=7', 'rest.conf'], environment)
  expect(both).toMatchObject({ pool: 7, schemas: ['mine'] })
  expect(both.everyRequest).toEqual([['app.settings.greeting', 'x']])
  expect(read(['rest.conf', '--db-schema', 'old'], environment)).toMatchObject({
    pool: 6,
    schemas: ['old'],
  })
  expect(read(['rest.conf'], { PGRST_DB_POOL: '' })).toMatchObject({ pool: 10 })
  expect(read([], { PGRST_DB_EXTRA_SEARCH_PATH: '' }).extraSearchPath).toEqual([])
})

test('older names', () => {
  const settings = read([], { PGRST_MAX_ROWS: '3', PGRST_PRE_REQUEST: 'check' })
  expect(settings.options).toEqual(
    new Map([
      ['db_pre_request', 'check'],
      ['db_max_rows', '3'],
    ]),
  )
})

test('what stands in files', () => {
  expect(read(['--db-uri', '@address', '--jwt-secret', '@secret'])).toMatchObject({
    database: { config: { host: '/run/postgres', database: 'app' }, ways: [false] },
    keys: [{ algorithm: 'HS256', material: Buffer.from('s'.repeat(40)) }],
  })
})

/** Of PostgREST 12 and later, with a value that its documentation shows. */
const documented: Record<string, string> = {
  'admin-server-host': 'localhost',
  'admin-server-port': '3001',
  'admin-server-unix-socket': '/tmp/pgrst-admin.sock',
  'admin-server-unix-socket-mode': '660',
  'admin-server-config-enabled': 'false',
  'app.settings.jwt_secret': 'x',
  'client-error-verbosity': 'verbose',
  'db-aggregates-enabled': 'false',
  'db-anon-role': 'web_anon',
  'db-channel': 'reload',
  'db-channel-enabled': 'true',
  'db-config': 'true',
  'db-extra-search-path': 'public, extensions',
  'db-hoisted-tx-settings': 'statement_timeout, plan_filter.statement_cost_limit',
  'db-max-rows': '1000',
  'db-plan-enabled': 'false',
  'db-pool': '10',
  'db-pool-acquisition-timeout': '10',
  'db-pool-automatic-recovery': 'true',
  'db-pool-max-idletime': '30',
  'db-pool-max-lifetime': '1800',
  'db-pre-config': 'postgrest.pre_config',
  'db-pre-request': 'auth.check',
  'db-prepared-statements': 'true',
  'db-root-spec': 'root',
  'db-schemas': 'api, private',
  'db-timezone-enabled': 'true',
  'db-tx-end': 'commit',
  'db-uri': 'postgresql://authenticator:mysecretpassword@localhost:5432/postgres',
  'jwt-aud': 'your_audience',
  'jwt-cache-max-entries': '1000',
  'jwt-cache-max-lifetime': '3600',
  'jwt-role-claim-key': '.role',
  'jwt-secret': 'reallyreallyreallyreallyverysafe',
  'jwt-secret-is-base64': 'false',
  'log-level': 'error',
  'log-query': 'disabled',
  'openapi-mode': 'follow-privileges',
  'openapi-security-active': 'true',
  'openapi-server-proxy-uri': 'https://api.example.com/basePath',
  'server-cors-allowed-origins': 'https://example.com',
  'server-host': '!4',
  'server-port': '3000',
  'server-reuseport': 'true',
  'server-timing-enabled': 'true',
  'server-trace-header': 'X-Request-Id',
  'server-unix-socket': '/tmp/pgrst.sock',
  'server-unix-socket-mode': '660',
  'url-use-legacy-target-names': 'false',
  'db-use-legacy-gucs': 'false',
  'raw-media-types': 'image/png, text/xml',
}

test('older and newer values', () => {
  const settings = {
    'jwt-role-claim-key': '$.app["roles"][?search(@, "^web_")]',
    'log-query': 'true',
  }
  expect(() => readServerSettings(new Map(Object.entries(settings)))).not.toThrow()
  expect(read(['--admin-server-unix-socket', '/run/admin.sock'])).toMatchObject({
    adminSocket: { path: '/run/admin.sock', mode: 0o660 },
    admin: undefined,
  })
})

test.each(Object.entries(documented))(
  '%s is accepted as flag, variable and in a file',
  (name, value) => {
    const variable = name.startsWith('app.settings.')
      ? `PGRST_APP_SETTINGS_${name.slice('app.settings.'.length)}`
      : `PGRST_${name.replaceAll('-', '_').toUpperCase()}`
    const file = () => `${name} = "${value}"`
    const flags = readRestConfig([`--${name}`, value], {}, readFile)
    const environment = readRestConfig([], { [variable]: value }, readFile)
    const inFile = readRestConfig(['any.conf'], {}, file)
    for (const values of [flags, environment, inFile]) {
      expect(values).toEqual(new Map([[name, value]]))
      expect(() => readServerSettings(values)).not.toThrow()
    }
  },
)

test('what listens, and what it listens to', () => {
  const both = read(['--server-unix-socket', '/run/x.sock', '--admin-server-port', '3001'])
  expect(both).toMatchObject({
    unixSocket: { path: '/run/x.sock', mode: 0o660 },
    admin: { host: '0.0.0.0', port: 3001 },
    channel: 'pgrst',
  })
  expect(read(['--db-channel', 'mine'])).toMatchObject({
    channel: 'mine',
    unixSocket: undefined,
    admin: undefined,
  })
  expect(read(['--db-channel-enabled', 'false']).channel).toBeUndefined()
  const unneeded = readRestConfig(['--log-query', 'main-query', '--db-pool', '3'], {}, readFile)
  expect(unneededIn(unneeded)).toEqual([['log-query', expect.stringContaining('never logged')]])
})

test('secrets', () => {
  const bytes = Buffer.from('ÿ'.repeat(20))
  const encoded = bytes.toString('base64url')
  const flags = ['--jwt-secret', encoded, '--jwt-secret-is-base64', 'true']
  expect(read(flags).keys).toMatchObject([{ material: bytes }])
  const jwk = { kty: 'oct', k: encoded, kid: 'a', alg: 'HS512' }
  expect(read(['--jwt-secret', JSON.stringify(jwk)]).keys).toMatchObject([
    { id: 'a', algorithm: 'HS512', material: bytes },
  ])
})

test.each<[refusal: string, args: string[], environment?: Record<string, string>]>([
  ['--db-pol: there is no such setting', ['--db-pol', '3']],
  ['-p: there is no such setting', ['-p']],
  ['PGRST_DB_CHANEL: there is no such setting', [], { PGRST_DB_CHANEL: 'x' }],
  [
    '--server-unix-socket-mode: must be a mode of a file, 600 to 777',
    ['--server-unix-socket-mode', '44'],
  ],
  ['PGRST_APP_SETTINGS_: there is no such setting', [], { PGRST_APP_SETTINGS_: 'x' }],
  ['--db-pool: needs a value', ['--db-pool']],
  ['two.conf: only one configuration file is read', ['rest.conf', 'two.conf']],
  ["none.conf: ENOENT: no such file, open 'none.conf'", ['none.conf']],
  ["--jwt-secret: ENOENT: no such file, open 'none'", ['--jwt-secret', '@none']],
  ['--db-pool: must be a number, 1 to 10000', ['--db-pool', 'many']],
  ['PGRST_SERVER_PORT: must be a number, 0 to 65535', [], { PGRST_SERVER_PORT: '70000' }],
  ['--db-max-rows: must be a number, 1 or more', ['--db-max-rows', '0']],
  ['--db-plan-enabled: must be true or false', ['--db-plan-enabled', 'maybe']],
  [
    '--openapi-mode: must be one of follow-privileges, ignore-privileges, disabled',
    ['--openapi-mode', 'on'],
  ],
  ['--log-level: must be one of crit, error, warn, info, debug', ['--log-level', 'loud']],
  [
    '--db-tx-end: must be one of commit, commit-allow-override, rollback, rollback-allow-override',
    ['--db-tx-end', 'x'],
  ],
  ['--db-schemas: cannot expose pg_catalog', ['--db-schemas', 'public,pg_catalog']],
  ['--jwt-aud: must be a text or an address', ['--jwt-aud', ':shop']],
  [
    '--jwt-role-claim-key: must be a path such as .role or .app."my roles"[0]',
    ['--jwt-role-claim-key', 'role'],
  ],
  [
    '--openapi-server-proxy-uri: must be an address such as https://example.com:8443/path',
    ['--openapi-server-proxy-uri', 'example.com'],
  ],
  ['jwt-secret: must be at least 32 characters long', ['--jwt-secret', 'short']],
  ['jwt-secret: is no base64', ['--jwt-secret', '?', '--jwt-secret-is-base64', 'true']],
  ['jwt-secret: holds a JWK of kind "RSA" that cannot be read', ['--jwt-secret', '{"kty":"RSA"}']],
  [
    'db-uri: must be an address such as postgres://user:password@host:5432/name',
    ['--db-uri', 'mysql://x'],
  ],
  [
    'db-uri: has a parameter that is not known here: sslcrl',
    ['--db-uri', 'postgres://h/d?sslcrl=/etc/revoked.crl'],
  ],
  [
    'db-uri: knows the sslmodes disable, allow, prefer, require, verify-ca, verify-full, not on',
    ['--db-uri', 'postgres://h/d?sslmode=on'],
  ],
  [
    'db-uri: cannot have channel_binding=require here',
    ['--db-uri', 'host=h channel_binding=require'],
  ],
  [
    'db-uri: cannot have target_session_attrs=standby here',
    ['--db-uri', 'postgres://h/d?target_session_attrs=standby'],
  ],
  [
    'db-uri: has sslrootcert=/no/such.crt, which cannot be read',
    ['--db-uri', 'postgres://h/d?sslmode=verify-full&sslrootcert=/no/such.crt'],
  ],
  ['db-uri: has a port that is none: 99999', ['--db-uri', 'postgres://h:99999/d']],
])('refused: %s', (refusal, args, environment) => {
  expect(() => read(args, environment)).toThrow(new Error(refusal))
})

test.each([
  ['x.conf:2: expected name = value', '\n"db-uri" = 1'],
  ['x.conf:1: db-pool: expected a text in quotes, a number, true or false', 'db-pool = ten'],
  ['x.conf:3: expected name = value', 'db-pool = 1\n\nimport "other"'],
  ['x.conf:1: db-anon-role: has an escape that is not known', 'db-anon-role = "a\\q"'],
  [
    'x.conf:1: db-anon-role: expected a text in quotes, a number, true or false',
    'db-anon-role = "open',
  ],
])('a file that cannot be read: %s', (refusal, text) => {
  expect(() => readConfigFile(text, 'x.conf')).toThrow(new Error(refusal))
})

test('a text may go over lines, and flags have two spellings more', () => {
  expect(readConfigFile('jwt-secret="{\n}"\ndb-config = off', 'x.conf')).toEqual([
    ['jwt-secret', '{\n}'],
    ['db-config', 'false'],
  ])
})

test('addresses of databases', () => {
  const at = (url: string) => read(['--db-uri', url]).database.config
  expect(at('postgresql://')).toEqual({})
  expect(at('postgres://user@/app')).toEqual({ user: 'user', database: 'app' })
  expect(at('postgres://a%40b:c%2Fd@[::1]:7/x%20y?sslmode=require')).toEqual({
    user: 'a@b',
    password: 'c/d',
    host: '::1',
    port: 7,
    database: 'x y',
  })
  const pairs =
    'host=localhost port=5433 user=authenticator password=mysecretpassword dbname=postgres'
  expect(at(pairs)).toEqual({
    host: 'localhost',
    port: 5433,
    user: 'authenticator',
    password: 'mysecretpassword',
    database: 'postgres',
  })
  expect(
    at(
      ` password = 'it\\'s a \\\\ secret' host=/run/postgres application_name=api connect_timeout=3`,
    ),
  ).toEqual({
    password: "it's a \\ secret",
    host: '/run/postgres',
    application_name: 'api',
    connectionTimeoutMillis: 3000,
  })
  for (const none of ['host=a b', 'host', "host='a", 'host=a=b c', ''])
    expect(() => at(none || 'x')).toThrow(/^db-uri: must be an address/)
  expect(at('postgres:///?dbname=d&user=u&password=p&port=9&sslmode=verify-full')).toEqual({
    database: 'd',
    user: 'u',
    password: 'p',
    port: 9,
  })
  expect(at('host=h keepalives=1 keepalives_idle=30 keepalives_count=3 gssencmode=prefer')).toEqual(
    {
      host: 'h',
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
    },
  )
})

test('TLS to the database as libpq has it: where the server has it, unless told', () => {
  const ways = (url: string) => read(['--db-uri', url]).database.ways
  const encrypted = { rejectUnauthorized: false }
  expect(ways('postgres://u@h/d?target_session_attrs=any')).toEqual([encrypted, false])
  expect(ways('postgres://u@h/d?sslmode=allow')).toEqual([false, encrypted])
  expect(ways('host=h sslmode=require')).toEqual([encrypted])
  expect(ways('postgres://u@h/d?sslmode=verify-full')).toEqual([{}])
  expect(ways('postgres://u@h/d?sslmode=require&sslrootcert=system')).toEqual([{}])
  expect(ways('postgres://u@/d?host=/run/postgres&sslmode=require')).toEqual([false])
})
