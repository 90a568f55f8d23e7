import type { SettingName } from '#kit/config'
import { dataSettings } from './settings-guide-data.ts'
import { peopleSettings } from './settings-guide-people.ts'
import type { SettingGroup, Settings } from './setting-group.ts'

/** The settings that most installations set, in the order in which an operator needs them. */
export const firstSettings: readonly SettingName[] = [
  'PLINTH_HOME',
  'HOST',
  'PORT',
  'PROJECT_PORT',
  'PLINTH_URL',
  'PLINTH_PROJECT_URL',
  'PLINTH_TRUSTED_PROXIES',
  'PLINTH_MASTER_KEY',
  'SMTP_URL',
  'MAIL_FROM',
  'SUPPORT_EMAIL',
  'PLINTH_S3_BUCKET',
  'PLINTH_BACKUPS',
  'LOG_LEVEL',
]

const addresses: Settings = {
  HOST: {
    about:
      'The address that the dashboard and the APIs of projects listen on. Behind a reverse proxy on the same machine, leave it at the loopback address.',
  },
  PORT: { about: 'The port of the dashboard and the platform API.' },
  PROJECT_PORT: { about: "The port of the projects' APIs." },
  PLINTH_URL: {
    about: 'The address at which browsers reach the dashboard. Links in mails start with it.',
    unset: '`http://localhost:{PORT}`',
  },
  PLINTH_PROJECT_URL: {
    about:
      'The address of each project. It must contain `{ref}`, in the host name (`https://{ref}.example.com`) or in the path (`https://api.example.com/{ref}`).',
    unset: '`http://localhost:{PROJECT_PORT}/{ref}`',
  },
  PLINTH_CUSTOM_HOSTNAME_TARGET: {
    about:
      'The public host name that custom hostnames of projects point to with a CNAME record. Requests that arrive there must reach the port of the projects.',
    unset: "the host name of a project's own address, if that can be a public DNS name",
  },
  PLINTH_DNS_SERVERS: {
    about:
      'The name servers that Plinth asks for the DNS records of custom hostnames: addresses, separated by commas, with a port if it is not 53.',
    unset: 'the name servers of the machine',
  },
  PLINTH_HTTPS_PORT: {
    about:
      'The port at which data planes serve HTTPS by themselves: projects, and the dashboard if `PLINTH_URL` has `https` and the same port ([without a reverse proxy](deploy.md#without-a-reverse-proxy)). They listen on `HOST`.',
    unset: 'a reverse proxy terminates TLS',
  },
  PLINTH_HTTP_CHALLENGE_PORT: {
    about:
      'The port at which data planes answer certificate authorities over HTTP, and redirect everybody else to HTTPS. Requests to port 80 of every name that gets a certificate must reach it.',
    unset: 'authorities are answered at `PROJECT_PORT` alone',
  },
  PLINTH_HTTPS_DASHBOARD: {
    about:
      '`off` when a reverse proxy serves the dashboard, and `PLINTH_HTTPS_PORT` the projects alone.',
  },
  PLINTH_HTTPS_CERTIFICATE: {
    about:
      "A file (PEM) with the certificate for HTTPS at the installation's own host names, and those between it and its authority behind it. A change of the file is noticed. Plinth orders no certificate for a name that it is for.",
  },
  PLINTH_HTTPS_KEY: { about: 'The file (PEM) with the key of that certificate.' },
  PLINTH_ACME_DIRECTORY: {
    about:
      'The directory of a certificate authority that speaks ACME (RFC 8555), such as `https://acme-v02.api.letsencrypt.org/directory`. Plinth gets the certificates of its own host names and of custom hostnames there.',
    unset: 'Plinth gets no certificates',
  },
  PLINTH_ACME_TERMS: {
    about: '`agreed` once you have read the terms of service of that authority and agree to them.',
  },
  PLINTH_ACME_EMAIL: { about: 'Where that authority writes to about your certificates.' },
  PLINTH_ACME_CA: {
    about:
      'A file (PEM) with the certificates that the server of a private authority is trusted by, in place of the usual ones.',
  },
  PLINTH_TRUSTED_PROXIES: {
    about:
      'Addresses or ranges, separated by commas, whose `X-Forwarded-*` headers Plinth trusts. List your reverse proxy here: otherwise Plinth sees its address as the address of every client.',
  },
  PLINTH_ALLOWED_ORIGINS: {
    about: 'Additional origins, separated by commas, whose pages may call the platform API.',
  },
  PLINTH_RATE_LIMIT: {
    about: 'How many calls of the platform API one account or address may make per minute.',
  },
  PLINTH_DATABASE_PORTS: {
    about: 'The range of TCP ports for the databases of projects, on 127.0.0.1.',
  },
  PLINTH_POOLER_HOST: {
    about:
      'The address at which the pooler accepts connections to the databases of all projects ([the pooler](operating.md#the-pooler)).',
  },
  PLINTH_POOLER_SESSION_PORT: {
    about: 'The port of the pooler in session mode. `off` turns it off.',
  },
  PLINTH_POOLER_TRANSACTION_PORT: {
    about: 'The port of the pooler in transaction mode. `off` turns it off.',
  },
  PLINTH_DATABASE_CERTIFICATE: {
    about:
      'A PEM file with the certificate for connections to databases, followed by its intermediate certificates. Plinth loads the file again when it changes ([encryption](operating.md#encrypted-connections-to-databases)).',
    unset: 'the installation creates its own',
  },
  PLINTH_DATABASE_KEY: { about: 'The PEM file with the private key of that certificate.' },
  PLINTH_LISTEN_PORTS: {
    about:
      'Ports of 127.0.0.1 and ::1 that you can give to single projects ([a port for a project](operating.md#a-port-for-a-project)). `off` allows none. This needs a data plane on this machine.',
    unset: '`1024-65535` while `HOST` is a loopback address, otherwise none',
  },
}

const state: Settings = {
  PLINTH_HOME: { about: 'The folder that holds all state: databases, the master key and logs.' },
  PLINTH_MASTER_KEY: {
    about: 'The key that encrypts every secret at rest: 64 hexadecimal digits.',
    unset: 'created at the first start, in `PLINTH_HOME/master-key`',
  },
  PLINTH_DISK_RESERVE: {
    about:
      'How many bytes Plinth tries to keep free on the disk of the databases ([disk limits](operating.md#disk-limits)).',
    unset: '5% of the disk, at most 4 GB',
  },
  LOG_LEVEL: {
    about:
      'The lowest level of messages that the programs log. Under `npm start` the default is `warn`.',
  },
}

const programs: Settings = {
  PLINTH_INTERNAL_TOKEN: {
    about:
      'The secret by which the programs authenticate to each other, and an operator to `/internal`: at least 32 characters. Required when you start the programs one by one.',
    unset: 'created at each start',
  },
  PLATFORM_DATABASE_URL: {
    about: 'An existing Postgres for the tables of the platform, in place of the embedded one.',
    unset: 'the embedded server',
  },
  PLINTH_CONTROL_PLANE: {
    about: 'The address at which the data plane reaches the control plane.',
    unset: '`http://127.0.0.1:{PORT}`',
  },
  PLINTH_DATA_PLANE: {
    about: 'The address at which the control plane reaches the data plane.',
    unset: '`http://127.0.0.1:{PROJECT_PORT}`',
  },
  PLINTH_COMPUTE: {
    about:
      'The address of the agent that runs the databases of projects (`dist/server/compute.js`), such as `http://127.0.0.1:8002`. Several control planes need an agent. `kubernetes` runs the databases in a cluster instead ([Kubernetes](kubernetes.md)).',
    unset: 'none: the control plane runs the databases itself',
  },
  PLINTH_COMPUTE_TOKEN: {
    about:
      'The secret by which control planes authenticate to the agent: at least 32 characters. Anyone who has it can do anything with every project. Data planes do not need it.',
    unset: 'none',
  },
  PLINTH_COMPUTE_PORT: {
    about: 'The port of the agent. It listens on `HOST`.',
  },
  NATS_URL: {
    about:
      'A NATS server through which several data planes share realtime messages, such as `nats://nats.example.com:4222`.',
    unset: 'none: data planes share messages through the databases of projects',
  },
}

const kubernetes: Settings = {
  PLINTH_KUBECONFIG: {
    about: 'A kubeconfig file with the address of the cluster and the credentials of the platform.',
    unset: "the file that `KUBECONFIG` names, `~/.kube/config`, or the pod's service account",
  },
  PLINTH_KUBERNETES_IMAGE: {
    about: 'The image of the databases: PostgreSQL 17, in the form that CloudNativePG expects.',
    unset: 'the default of CloudNativePG',
  },
  PLINTH_KUBERNETES_STORAGE: { about: "The size of each project's volume." },
  PLINTH_KUBERNETES_STORAGE_CLASS: {
    about: 'The storage class of these volumes.',
    unset: "the cluster's default",
  },
  PLINTH_KUBERNETES_NAMESPACE: {
    about: 'The namespace in which Plinth runs. Databases accept connections only from there.',
  },
  PLINTH_KUBERNETES_OPERATOR_NAMESPACE: {
    about: 'The namespace in which CloudNativePG runs. It asks the databases for their status.',
  },
  PLINTH_KUBERNETES_BACKUP_BUCKET: {
    about:
      'The bucket for the backups of these databases, which the Barman Cloud plugin writes. Keep nothing else under the prefix.',
    unset: 'no backups in the cluster',
  },
  PLINTH_KUBERNETES_BACKUP_ENDPOINT: {
    about: 'The address of the server of that bucket, such as `https://s3.example.com`.',
    unset: 'Amazon S3',
  },
  PLINTH_KUBERNETES_BACKUP_REGION: { about: 'The region of that bucket.', unset: '`us-east-1`' },
  PLINTH_KUBERNETES_BACKUP_PREFIX: {
    about: 'The prefix of all keys in that bucket, without a slash at the end.',
    unset: 'no prefix',
  },
  PLINTH_KUBERNETES_BACKUP_CREDENTIALS: {
    about:
      'The name of a Secret in the namespace of Plinth that contains `access-key-id` and `secret-access-key`. Required with a bucket.',
    unset: 'none',
  },
  PLINTH_KUBERNETES_BACKUP_NETWORKS: {
    about:
      'The address ranges of the bucket, separated by commas, such as `192.0.2.0/24`. The pods of projects reach these and no others. `0.0.0.0/0` means the internet without inner networks. Required with a bucket.',
    unset: 'none',
  },
  PLINTH_KUBERNETES_DNS_NAMESPACE: {
    about:
      'The namespace of the name servers of the cluster. It matters if the address of the bucket is a host name.',
  },
}

const selfHosted: Settings = {
  PLINTH_MODE: {
    about: '`self-hosted` runs the dashboard and the APIs over one existing database.',
  },
  DATABASE_URL: {
    about:
      'The address of that database, with a superuser of it. `?sslmode=require` encrypts the connection, and `?sslmode=verify-full` also checks the certificate. Without either, the connection is not encrypted. Required in self-hosted mode.',
  },
  DEFAULT_PROJECT_NAME: { about: 'The name of that database in the dashboard.' },
  PLINTH_ADMIN_EMAIL: { about: 'The email address of the first account in self-hosted mode.' },
}

/** Every setting, each in one group. */
export const settingGroups: readonly SettingGroup[] = [
  { title: 'Addresses', settings: addresses },
  { title: 'State and logs', settings: state },
  ...dataSettings,
  ...peopleSettings,
  {
    title: 'Self-hosted mode',
    intro: 'See [self-hosted mode](operating.md#self-hosted-mode).',
    settings: selfHosted,
  },
  {
    title: 'Several machines',
    intro: 'On one machine you need none of these: `npm start` sets them.',
    settings: programs,
  },
  {
    title: 'Kubernetes',
    intro: 'These apply when `PLINTH_COMPUTE` is `kubernetes`: see [Kubernetes](kubernetes.md).',
    settings: kubernetes,
  },
]

/** Variables that single commands read. They are not settings of the platform. */
export const commandVariables: Readonly<Record<string, string>> = {
  PLINTH_ACCESS_TOKEN:
    'The access token for `npx plinth` when you run it on a machine other than that of the platform. `PLINTH_URL` is the address.',
  PLINTH_DB_PASSWORD:
    'The database password of the project that [an import](importing.md) writes to.',
  PLINTH_FROM_DB_URL: 'The database address of the project that you import.',
  PLINTH_FROM_SERVICE_KEY: 'The service key, or a secret key, of the project that you import.',
  PLINTH_FROM_ACCESS_TOKEN:
    'An access token for the Management API of the project that you import.',
  PLINTH_FROM_JWT_SECRET: 'The JWT secret of the project that you import.',
  PLINTH_BACKUP_PASSPHRASE:
    'The passphrase that encrypts the keys in a [backup of the platform](operating.md#first-of-all-back-the-platform-up): at least 12 characters.',
  PLINTH_BACKUP_PASSPHRASE_FILE: 'A file that contains that passphrase. Prefer it to the variable.',
}
