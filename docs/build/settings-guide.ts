import type { SettingName } from '#kit/config'
import { dataSettings } from './settings-guide-data.ts'
import { peopleSettings } from './settings-guide-people.ts'
import type { SettingGroup, Settings } from './setting-group.ts'

/** Those that most installations set, in the order in which somebody needs them. */
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
      'The address that the dashboard and the projects listen on. Leave it at loopback behind a reverse proxy on the same machine.',
  },
  PORT: { about: 'The port of the dashboard and the platform API.' },
  PROJECT_PORT: { about: "The port of the projects' APIs." },
  PLINTH_URL: {
    about: 'How browsers reach the dashboard. Links in mails start with it.',
    unset: '`http://localhost:{PORT}`',
  },
  PLINTH_PROJECT_URL: {
    about:
      'The address of a project. It must contain `{ref}`, in the host name (`https://{ref}.example.com`) or in the path (`https://api.example.com/{ref}`).',
    unset: '`http://localhost:{PROJECT_PORT}/{ref}`',
  },
  PLINTH_CUSTOM_HOSTNAME_TARGET: {
    about:
      'The public host name that custom hostnames of projects point to with a CNAME record. Requests with their names must reach the port of the projects from there.',
    unset: "the host name of a project's own address, if it can stand in the public DNS",
  },
  PLINTH_DNS_SERVERS: {
    about:
      'Name servers, separated by commas, that are asked for the DNS records of custom hostnames: addresses, with a port if it is not 53.',
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
      'Addresses or ranges, separated by commas, whose `X-Forwarded-*` headers Plinth believes. Name your reverse proxy here, or every client has its address.',
  },
  PLINTH_ALLOWED_ORIGINS: {
    about: 'Further origins, separated by commas, whose pages may call the platform API.',
  },
  PLINTH_RATE_LIMIT: { about: 'Calls of the platform API per minute, for one account or address.' },
  PLINTH_DATABASE_PORTS: {
    about: "The TCP ports of the projects' databases, on 127.0.0.1.",
  },
  PLINTH_POOLER_HOST: {
    about:
      'The address at which the pooler takes connections to the databases of all projects ([the pooler](operating.md#the-pooler)).',
  },
  PLINTH_POOLER_SESSION_PORT: {
    about: 'The port of the pooler in session mode; `off` for none.',
  },
  PLINTH_POOLER_TRANSACTION_PORT: {
    about: 'The port of the pooler in transaction mode; `off` for none.',
  },
  PLINTH_DATABASE_CERTIFICATE: {
    about:
      'A file (PEM) with the certificate for connections to databases, and those between it and its authority behind it. Unless set, the installation makes its own. A change of the file is noticed ([encryption](operating.md#encrypted-connections-to-databases)).',
  },
  PLINTH_DATABASE_KEY: { about: 'The file (PEM) with the key of that certificate.' },
  PLINTH_LISTEN_PORTS: {
    about:
      'Ports of 127.0.0.1 and ::1 that projects can have for themselves ([a port for one project](operating.md#from-the-command-line)); `off` for none. Needs a data plane on this machine.',
    unset: '`1024-65535` while `HOST` is a loopback address, otherwise none',
  },
}

const state: Settings = {
  PLINTH_HOME: { about: 'The folder that holds all state: databases, master key, logs.' },
  PLINTH_MASTER_KEY: {
    about: '64 hexadecimal digits that encrypt every secret at rest.',
    unset: 'made at the first start and kept in `PLINTH_HOME/master-key`',
  },
  PLINTH_DISK_RESERVE: {
    about:
      'Bytes that are to stay free on the disk of the databases ([what keeps the disk from being full](operating.md#what-keeps-the-disk-from-being-full)).',
    unset: 'a twentieth of the disk, 4 GB at most',
  },
  LOG_LEVEL: {
    about: 'How much the programs log. Under `npm start` it is `warn` unless set.',
  },
}

const programs: Settings = {
  PLINTH_INTERNAL_TOKEN: {
    about:
      'At least 32 characters, by which the programs know each other and an operator is known to `/internal`. Required when you start the programs one by one.',
    unset: 'made at each start',
  },
  PLATFORM_DATABASE_URL: {
    about: "An existing Postgres for the platform's own tables, in place of the embedded one.",
    unset: 'the embedded server',
  },
  PLINTH_CONTROL_PLANE: {
    about: 'Where the data plane finds the control plane.',
    unset: '`http://127.0.0.1:{PORT}`',
  },
  PLINTH_DATA_PLANE: {
    about: 'Where the control plane finds the data plane.',
    unset: '`http://127.0.0.1:{PROJECT_PORT}`',
  },
  PLINTH_COMPUTE: {
    about:
      'Where the control plane finds the agent that runs the databases of projects (`dist/server/compute.js`), such as `http://127.0.0.1:8002`. Several control planes need one. `kubernetes`: they run in a cluster ([Kubernetes](kubernetes.md)).',
    unset: 'the control plane runs them itself',
  },
  PLINTH_COMPUTE_TOKEN: {
    about:
      'At least 32 characters, by which the agent knows control planes. Who has it can do everything with every project; data planes do not need it.',
    unset: 'none',
  },
  PLINTH_COMPUTE_PORT: {
    about: 'Where the agent listens, at `HOST`.',
  },
  NATS_URL: {
    about:
      'A NATS server over which several data planes share realtime messages, such as `nats://nats.example.com:4222`.',
    unset: "they share them through the projects' databases",
  },
}

const kubernetes: Settings = {
  PLINTH_KUBECONFIG: {
    about: 'A file that says where the cluster is and how the platform signs in there.',
    unset: "what `KUBECONFIG` names, `~/.kube/config`, or the pod's own service account",
  },
  PLINTH_KUBERNETES_IMAGE: {
    about: 'The image of the databases: PostgreSQL 17 as CloudNativePG takes it.',
    unset: "the operator's own",
  },
  PLINTH_KUBERNETES_STORAGE: { about: "The size of each project's volume." },
  PLINTH_KUBERNETES_STORAGE_CLASS: {
    about: 'The storage class of these volumes.',
    unset: "the cluster's default",
  },
  PLINTH_KUBERNETES_NAMESPACE: {
    about:
      'The namespace in which Plinth runs: from there, and from nowhere else, databases are reached.',
  },
  PLINTH_KUBERNETES_OPERATOR_NAMESPACE: {
    about: 'The namespace in which CloudNativePG runs, which asks databases how they are.',
  },
  PLINTH_KUBERNETES_BACKUP_BUCKET: {
    about:
      'The bucket that backups of these databases go to, by the Barman Cloud plugin. It holds nothing else below the prefix.',
    unset: 'there are no backups in the cluster',
  },
  PLINTH_KUBERNETES_BACKUP_ENDPOINT: {
    about: 'Where its server is, such as `https://s3.example.com`.',
    unset: 'Amazon S3',
  },
  PLINTH_KUBERNETES_BACKUP_REGION: { about: 'Its region.', unset: '`us-east-1`' },
  PLINTH_KUBERNETES_BACKUP_PREFIX: {
    about: 'What all keys in it begin with, without a slash at the end.',
    unset: 'nothing',
  },
  PLINTH_KUBERNETES_BACKUP_CREDENTIALS: {
    about:
      'The name of a Secret in the namespace of Plinth with `access-key-id` and `secret-access-key`. Required with a bucket.',
    unset: 'none',
  },
  PLINTH_KUBERNETES_BACKUP_NETWORKS: {
    about:
      'Ranges in which the bucket is, such as `192.0.2.0/24`, joined by commas: pods of projects reach these and no others. `0.0.0.0/0` is the internet without inner networks. Required with a bucket.',
    unset: 'none',
  },
  PLINTH_KUBERNETES_DNS_NAMESPACE: {
    about: 'The namespace of the name servers of the cluster, for a bucket that has a name.',
  },
}

const selfHosted: Settings = {
  PLINTH_MODE: {
    about: '`self-hosted` runs the dashboard and the APIs over one database that exists already.',
  },
  DATABASE_URL: {
    about:
      'That database, with a superuser of it. `?sslmode=require` encrypts the connection, `verify-full` also checks the certificate. Required in self-hosted mode.',
  },
  DEFAULT_PROJECT_NAME: { about: 'What the dashboard calls that database.' },
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
    intro: 'One machine needs none of these: `npm start` chooses them.',
    settings: programs,
  },
  {
    title: 'Kubernetes',
    intro: 'These count where `PLINTH_COMPUTE` is `kubernetes`: see [Kubernetes](kubernetes.md).',
    settings: kubernetes,
  },
]

/** Variables that single commands read, and that are no settings of the platform. */
export const commandVariables: Readonly<Record<string, string>> = {
  PLINTH_ACCESS_TOKEN:
    'The access token with which `npx plinth` acts when it runs away from the machine of the platform, with `PLINTH_URL` as the address.',
  PLINTH_DB_PASSWORD: 'The database password of the project that [an import](importing.md) fills.',
  PLINTH_FROM_DB_URL: 'The database address of the project that is imported.',
  PLINTH_FROM_SERVICE_KEY: 'The service key, or a secret key, of the project that is imported.',
  PLINTH_FROM_ACCESS_TOKEN: 'A token for the Management API that the imported project belongs to.',
  PLINTH_FROM_JWT_SECRET: 'The JWT secret of the project that is imported.',
  PLINTH_BACKUP_PASSPHRASE:
    'At least 12 characters that encrypt the keys in a [backup of the platform](operating.md#first-of-all-back-the-platform-up).',
  PLINTH_BACKUP_PASSPHRASE_FILE: 'A file with that passphrase; better than the variable itself.',
}
