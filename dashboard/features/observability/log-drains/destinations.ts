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
  help: 'Log drains are billed by the bytes that they send, so compression costs less.',
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
    about: 'Sends entries as JSON to any HTTP endpoint',
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
    about: 'Sends entries to Datadog Logs',
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
    about: 'Sends entries to the push API of Grafana Loki',
    hasHeaders: true,
    fields: [
      url('url', 'URL'),
      {
        name: 'username',
        label: 'Username',
        kind: 'text',
        isOptional: true,
        help: 'Optional. Leave it empty if Loki does not require one.',
      },
      { name: 'password', label: 'Password', kind: 'secret', isOptional: true },
    ],
  },
  {
    type: 's3',
    title: 'Amazon S3',
    about: 'Stores entries as files in a bucket of Amazon S3 or a compatible storage',
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
        help: 'A file is stored after this time, even if it is not full: 1000 to 900000.',
      },
      {
        name: 'prefix',
        label: 'Prefix',
        kind: 'text',
        isOptional: true,
        placeholder: 'logs/',
        help: 'Optional. The name of each file begins with it.',
      },
      url('endpoint', 'Endpoint', {
        isOptional: true,
        help: 'Optional. The address of a storage that is compatible with S3; leave it empty for Amazon S3.',
      }),
    ],
  },
  {
    type: 'sentry',
    title: 'Sentry',
    about: 'Sends entries to the logs of a Sentry project',
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
    about: 'Sends entries to any collector that takes OTLP over HTTP',
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
    about: 'Sends entries to a dataset in Axiom',
    fields: [
      { name: 'api_token', label: 'API token', kind: 'secret' },
      { name: 'dataset_name', label: 'Dataset', kind: 'text' },
      {
        name: 'domain',
        label: 'Domain',
        kind: 'text',
        isOptional: true,
        placeholder: 'api.axiom.co',
        help: 'Optional. Set it if your deployment of Axiom has a domain of its own.',
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
