import { datadogRegions, type LogDrainType } from '#contract/observability/log-drain-shapes'

/** A field of a form, besides the headers. */
export type FieldOf = {
  name: string
  label: string
  kind: 'text' | 'secret' | 'number' | 'choice' | 'switch'
  help?: string
  placeholder?: string
  /** What a new drain begins with. */
  usual?: string | boolean
  isOptional?: true
  choices?: readonly { value: string; label: string }[]
}
export type Destination = {
  type: LogDrainType
  title: string
  about: string
  fields: readonly FieldOf[]
  hasHeaders?: true
}

const gzip: FieldOf = {
  name: 'gzip',
  label: 'Compress with gzip',
  kind: 'switch',
  help: 'What is sent is billed as it is sent, so compression saves most of its price.',
  usual: true,
}
const url = (name: string, label: string, more: Partial<FieldOf> = {}): FieldOf => ({
  name,
  label,
  kind: 'text',
  placeholder: 'https://',
  help: 'Everyone who can see the logs can see this address. Put secrets in a header instead.',
  ...more,
})

/** Where logs can be sent, in the order in which they are offered. */
export const destinations: readonly Destination[] = [
  {
    type: 'webhook',
    title: 'Webhook',
    about: 'Any HTTP endpoint that takes JSON',
    hasHeaders: true,
    fields: [
      url('url', 'URL'),
      {
        name: 'http',
        label: 'HTTP version',
        kind: 'choice',
        usual: 'http1',
        choices: [
          { value: 'http1', label: 'HTTP/1.1' },
          { value: 'http2', label: 'HTTP/2' },
        ],
      },
      gzip,
    ],
  },
  {
    type: 'datadog',
    title: 'Datadog',
    about: 'Datadog Logs',
    fields: [
      { name: 'api_key', label: 'API key', kind: 'secret' },
      {
        name: 'region',
        label: 'Region',
        kind: 'choice',
        usual: 'US1',
        choices: datadogRegions.map((value) => ({ value, label: value })),
      },
    ],
  },
  {
    type: 'loki',
    title: 'Loki',
    about: 'Grafana Loki, by its push API',
    hasHeaders: true,
    fields: [
      url('url', 'URL'),
      {
        name: 'username',
        label: 'Username',
        kind: 'text',
        isOptional: true,
        help: 'Leave it empty if Loki asks for none.',
      },
      { name: 'password', label: 'Password', kind: 'secret', isOptional: true },
    ],
  },
  {
    type: 's3',
    title: 'Amazon S3',
    about: 'Files in a bucket, also of a compatible storage',
    fields: [
      { name: 's3_bucket', label: 'Bucket', kind: 'text' },
      { name: 'storage_region', label: 'Region', kind: 'text', placeholder: 'eu-central-1' },
      { name: 'access_key_id', label: 'Access key ID', kind: 'text' },
      { name: 'secret_access_key', label: 'Secret access key', kind: 'secret' },
      {
        name: 'batch_timeout',
        label: 'Batch timeout in milliseconds',
        kind: 'number',
        usual: '60000',
        help: 'A file is stored after this time although it is not full: 1000 to 900000.',
      },
      {
        name: 'prefix',
        label: 'Prefix',
        kind: 'text',
        isOptional: true,
        placeholder: 'logs/',
        help: 'Begins the name of each file.',
      },
      url('endpoint', 'Endpoint', {
        isOptional: true,
        help: 'Of a storage that is compatible with S3. Leave it empty for Amazon S3.',
      }),
    ],
  },
  {
    type: 'sentry',
    title: 'Sentry',
    about: 'Logs of a Sentry project',
    fields: [
      {
        name: 'dsn',
        label: 'DSN',
        kind: 'secret',
        help: 'In Sentry: Project settings, Client keys. It looks like https://key@host/1.',
      },
    ],
  },
  {
    type: 'otlp',
    title: 'OpenTelemetry',
    about: 'Any collector that takes OTLP over HTTP',
    hasHeaders: true,
    fields: [
      url('endpoint', 'Endpoint', {
        help: 'Entries go to /v1/logs below it. Everyone who can see the logs can see this address.',
      }),
      gzip,
    ],
  },
  {
    type: 'axiom',
    title: 'Axiom',
    about: 'A dataset in Axiom',
    fields: [
      { name: 'api_token', label: 'API token', kind: 'secret' },
      { name: 'dataset_name', label: 'Dataset', kind: 'text' },
      {
        name: 'domain',
        label: 'Domain',
        kind: 'text',
        isOptional: true,
        placeholder: 'api.axiom.co',
        help: 'Of another deployment than the usual one.',
      },
    ],
  },
]

const byType = new Map(destinations.map((one) => [one.type, one]))
export const destinationOf = (type: LogDrainType): Destination => {
  const found = byType.get(type)
  if (!found) throw new Error(`There are no words for drains of type ${type}`)
  return found
}
