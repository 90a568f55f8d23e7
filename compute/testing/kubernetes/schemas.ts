import { isTree, Refused, type Tree } from './store.ts'

/*
 * The published schemas as far as they are used, written down strictly: an unknown field is refused, as `kubectl apply` and the field
 * validation `Strict` do. Real servers drop unknown fields, which is how a misspelt one does harm, so here they do not pass.
 * Field names: CloudNativePG 1.30 and Kubernetes 1.33.
 */

type Check = (value: unknown, path: string, say: (problem: string) => void) => void

const text =
  (pattern = /^[\s\S]*$/): Check =>
  (value, path, say) => {
    if (typeof value !== 'string' || !pattern.test(value))
      say(`${path}: Invalid value: ${JSON.stringify(value)}`)
  }
const oneOf =
  (...allowed: unknown[]): Check =>
  (value, path, say) => {
    if (!allowed.includes(value))
      say(
        `${path}: Unsupported value: ${JSON.stringify(value)}: supported values: ${allowed.join(', ')}`,
      )
  }
const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check =>
  (value, path, say) => {
    if (!Number.isInteger(value) || Number(value) < least || Number(value) > most)
      say(`${path}: Invalid value: ${JSON.stringify(value)}`)
  }
const yesOrNo: Check = oneOf(true, false)
const mapOf =
  (check: Check): Check =>
  (value, path, say) => {
    if (!isTree(value)) return say(`${path}: must be an object`)
    for (const [name, one] of Object.entries(value)) check(one, `${path}.${name}`, say)
  }
const listOf =
  (check: Check): Check =>
  (value, path, say) => {
    if (!Array.isArray(value)) return say(`${path}: must be a list`)
    value.forEach((one, at) => check(one, `${path}[${at}]`, say))
  }
/** Fields whose names end in `!` are required. */
const object =
  (
    fields: Record<string, Check>,
    also?: (value: Tree, path: string) => string | undefined,
  ): Check =>
  (value, path, say) => {
    if (!isTree(value)) return say(`${path}: must be an object`)
    const known = new Map(
      Object.entries(fields).map(([name, check]) => [name.replace('!', ''), check]),
    )
    for (const [name, one] of Object.entries(value)) {
      const check = known.get(name)
      if (check) check(one, path ? `${path}.${name}` : name, say)
      else say(`unknown field "${path ? `${path}.${name}` : name}"`)
    }
    for (const name of Object.keys(fields))
      if (name.endsWith('!') && value[name.slice(0, -1)] === undefined)
        say(`${path}.${name.slice(0, -1)}: Required value`)
    const problem = also?.(value, path)
    if (problem) say(problem)
  }

const quantity = text(/^\d+(\.\d+)?(m|k|Ki|Mi|Gi|Ti|M|G|T)?$/)
const label = text(/^$|^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/)
const labels = mapOf(label)
const port = integer(1, 65_535)
const name = text(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/)

const metadata = object({
  name: name,
  namespace: text(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/),
  labels,
  annotations: mapOf(text()),
  finalizers: listOf(text()),
  // Of the server; whoever sends back what was read sends them, too.
  uid: text(),
  resourceVersion: text(),
  generation: integer(1),
  creationTimestamp: text(),
  deletionTimestamp: text(),
})
const selector = object({ matchLabels: labels })
const peer = object(
  {
    namespaceSelector: selector,
    podSelector: selector,
    ipBlock: object({ 'cidr!': text(/^[0-9a-f.:]+\/\d{1,3}$/), except: listOf(text()) }),
  },
  (value, path) =>
    value.ipBlock !== undefined && Object.keys(value).length > 1
      ? `${path}: Forbidden: may not specify both ipBlock and another peer`
      : undefined,
)
const ports = listOf(object({ protocol: oneOf('TCP', 'UDP', 'SCTP'), port }))
const resources = object({
  requests: mapOf(quantity),
  limits: mapOf(quantity),
})
const reference = object({ 'name!': name })

/** What the operator manages itself, and its webhook refuses. */
const fixedParameters = [
  'allow_alter_system',
  'archive_command',
  'archive_mode',
  'cluster_name',
  'config_file',
  'data_directory',
  'full_page_writes',
  'hba_file',
  'hot_standby',
  'ident_file',
  'listen_addresses',
  'log_destination',
  'log_directory',
  'log_filename',
  'logging_collector',
  'port',
  'primary_conninfo',
  'restore_command',
  'shared_preload_libraries',
  'ssl',
  'ssl_ca_file',
  'ssl_cert_file',
  'ssl_key_file',
  'unix_socket_directories',
]
const parameters: Check = (value, path, say) => {
  mapOf(text())(value, path, say)
  for (const given of Object.keys(Object(value)))
    if (fixedParameters.includes(given))
      say(`${path}: Invalid value: "${given}": can't set fixed configuration parameter`)
}

/** An ObjectStore's and a Cluster's references to one entry of a Secret. */
const keyRef = object({ 'name!': name, 'key!': text(/^[\w.-]+$/) })
const plugin = object({
  'name!': text(/^\S+$/),
  enabled: yesOrNo,
  isWALArchiver: yesOrNo,
  parameters: mapOf(text()),
})
/** A moment without a zone would mean another one on another machine. */
const moment = text(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$/)
const recoveryTarget = object(
  {
    backupID: text(),
    targetTLI: text(),
    targetXID: text(),
    targetName: text(),
    targetLSN: text(),
    targetTime: moment,
    targetImmediate: yesOrNo,
    exclusive: yesOrNo,
  },
  (value, path) => {
    const targets = ['targetXID', 'targetName', 'targetLSN', 'targetTime', 'targetImmediate']
    const given = targets.filter((one) => value[one] !== undefined)
    if (given.length > 1)
      return `${path}: Invalid value: Recovery target options are mutually exclusive`
    const needsId = ['targetXID', 'targetName', 'targetImmediate'].some(
      (one) => value[one] !== undefined,
    )
    return needsId && value.backupID === undefined
      ? `${path}: Invalid value: BackupID is missing`
      : undefined
  },
)

const clusterSpec = object({
  instances: integer(1),
  imageName: text(/^\S+$/),
  'storage!': object({ size: quantity, storageClass: name, resizeInUseVolumes: yesOrNo }),
  resources,
  seccompProfile: object({ 'type!': oneOf('RuntimeDefault', 'Localhost', 'Unconfined') }),
  enableSuperuserAccess: yesOrNo,
  superuserSecret: reference,
  bootstrap: object({
    initdb: object({
      database: text(),
      owner: text(),
      secret: reference,
      dataChecksums: yesOrNo,
      encoding: text(),
      locale: text(),
      localeProvider: oneOf('icu', 'libc', 'builtin'),
      builtinLocale: text(),
      walSegmentSize: integer(1, 1024),
    }),
    recovery: object({
      backup: reference,
      source: text(),
      database: text(),
      owner: text(),
      secret: reference,
      recoveryTarget,
    }),
  }),
  externalClusters: listOf(object({ 'name!': text(), plugin })),
  plugins: listOf(plugin),
  postgresql: object({ parameters, pg_hba: listOf(text()), pg_ident: listOf(text()) }),
})

const specs: Record<string, Check> = {
  Namespace: object({ finalizers: listOf(text()) }),
  ResourceQuota: object({ hard: mapOf(quantity) }),
  NetworkPolicy: object({
    'podSelector!': selector,
    policyTypes: listOf(oneOf('Ingress', 'Egress')),
    ingress: listOf(object({ from: listOf(peer), ports })),
    egress: listOf(object({ to: listOf(peer), ports })),
  }),
  Cluster: clusterSpec,
  Backup: object(
    {
      'cluster!': reference,
      method: oneOf('barmanObjectStore', 'volumeSnapshot', 'plugin'),
      pluginConfiguration: object({ 'name!': text(), parameters: mapOf(text()) }),
      target: oneOf('primary', 'prefer-standby'),
      online: yesOrNo,
    },
    ({ method, pluginConfiguration }, path) =>
      method === 'plugin' && pluginConfiguration === undefined
        ? `${path}: Invalid value: cannot be empty when the backup method is plugin`
        : undefined,
  ),
  ScheduledBackup: object({
    'schedule!': text(/^\S+( \S+){5}$/),
    'cluster!': reference,
    suspend: yesOrNo,
    immediate: yesOrNo,
    backupOwnerReference: oneOf('none', 'self', 'cluster'),
    method: oneOf('barmanObjectStore', 'volumeSnapshot', 'plugin'),
    pluginConfiguration: object({ 'name!': text(), parameters: mapOf(text()) }),
    target: oneOf('primary', 'prefer-standby'),
    online: yesOrNo,
  }),
  ObjectStore: object({
    'configuration!': object({
      'destinationPath!': text(/^\S+$/),
      endpointURL: text(/^https?:\/\/\S+$/),
      endpointCA: keyRef,
      s3Credentials: object({
        accessKeyId: keyRef,
        secretAccessKey: keyRef,
        region: keyRef,
        sessionToken: keyRef,
        inheritFromIAMRole: yesOrNo,
      }),
      wal: object({
        compression: oneOf('bzip2', 'gzip', 'lz4', 'snappy', 'xz', 'zstd'),
        encryption: oneOf('AES256', 'aws:kms'),
        maxParallel: integer(1),
        archiveAdditionalCommandArgs: listOf(text()),
        restoreAdditionalCommandArgs: listOf(text()),
      }),
      data: object({
        compression: oneOf('bzip2', 'gzip', 'lz4', 'snappy'),
        encryption: oneOf('AES256', 'aws:kms'),
        immediateCheckpoint: yesOrNo,
        jobs: integer(1),
        additionalCommandArgs: listOf(text()),
      }),
      tags: mapOf(text()),
      historyTags: mapOf(text()),
    }),
    retentionPolicy: text(/^[1-9][0-9]*[dwm]$/),
    instanceSidecarConfiguration: object({
      env: listOf(object({ 'name!': text(), value: text() })),
      retentionPolicyIntervalSeconds: integer(1),
      logLevel: oneOf('error', 'warning', 'info', 'debug', 'trace'),
      additionalContainerArgs: listOf(text()),
      resources,
    }),
  }),
}
const secret = {
  type: text(),
  stringData: mapOf(text()),
  data: mapOf(text(/^[A-Za-z0-9+/=]*$/)),
}

/** What the operator and the cluster itself make is not checked: it is not what we say. */
export const isChecked = (kind: string): boolean => kind in specs || kind === 'Secret'

/** @throws Refused */
export function validate(kind: string, given: Tree, before?: Tree): void {
  const spec = specs[kind]
  const problems: string[] = []
  const base = {
    'apiVersion!': text(),
    'kind!': oneOf(kind),
    'metadata!': metadata,
    status: (() => {}) as Check,
  }
  const fields = kind === 'Secret' ? { ...base, ...secret } : { ...base, ...(spec && { spec }) }
  object(fields)(given, '', (problem) => problems.push(problem))
  if (kind === 'Cluster' && !isTree(given.spec)) problems.push('spec: Required value')
  if (kind === 'Cluster' && isTree(given.spec)) problems.push(...originProblems(given.spec))
  if (kind === 'Backup' && before && JSON.stringify(before.spec) !== JSON.stringify(given.spec))
    problems.push('spec: Invalid value: BackupSpec is immutable once set')
  if (kind === 'Cluster' && before) {
    const [old, now] = [before, given].map((one) => sizeOf(one))
    if ((now ?? 0) < (old ?? 0))
      problems.push("spec.storage.size: Invalid value: can't shrink existing storage")
  }
  if (problems.length > 0)
    throw new Refused(422, 'Invalid', `${kind} is invalid: ${problems.join(', ')}`)
}

/** The webhook refuses a recovery from something that is not described. */
function originProblems({ bootstrap, externalClusters }: Tree): string[] {
  const recovery = isTree(bootstrap) ? bootstrap.recovery : undefined
  const source = isTree(recovery) ? recovery.source : undefined
  if (source === undefined) return []
  const known = Array.isArray(externalClusters) ? externalClusters : []
  const isThere = known.some((one) => isTree(one) && one.name === source)
  return isThere
    ? []
    : [
        `spec.bootstrap.recovery.source: Invalid value: no external cluster ${JSON.stringify(source)}`,
      ]
}

/** Bytes of a quantity. */
export function amountOf(given: unknown): number {
  const [, number = '0', unit = ''] = /^([\d.]+)(\w*)$/.exec(String(given)) ?? []
  const factors: Record<string, number> = { m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12 }
  const binary: Record<string, number> = { Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3, Ti: 1024 ** 4 }
  return Number(number) * (factors[unit] ?? binary[unit] ?? 1)
}
const sizeOf = (cluster: Tree): number => {
  const spec = isTree(cluster.spec) ? cluster.spec : {}
  return amountOf(isTree(spec.storage) ? spec.storage.size : 0)
}
