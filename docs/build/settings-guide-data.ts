import type { SettingGroup } from './setting-group.ts'

/** What projects store, import and run. */
export const dataSettings: readonly SettingGroup[] = [
  {
    title: 'Stored files and backups',
    settings: {
      PLINTH_STORAGE: {
        about:
          'The folder for the files that projects store, with one subfolder for each project. Several data planes, or a control plane on another machine, must share one folder.',
        unset: '`PLINTH_HOME/storage`',
      },
      PLINTH_LARGEST_UPLOAD: {
        about:
          'The maximum size of one stored object in bytes. The default is 50 GiB. Plans, projects and buckets may allow less.',
      },
      PLINTH_S3_BUCKET: {
        about:
          'A bucket on any server with the S3 protocol, for the files that projects store, in place of the folder ([stored files in a bucket](operating.md#what-projects-store-in-a-bucket)).',
        unset: 'none: files are in the folder',
      },
      PLINTH_S3_ENDPOINT: {
        about: 'The address of that server, such as `https://s3.example.com`.',
        unset: 'that of Amazon S3',
      },
      PLINTH_S3_REGION: { about: 'The region of the bucket.', unset: '`us-east-1`' },
      PLINTH_S3_ACCESS_KEY_ID: {
        about: 'The access key ID for the bucket. Set it together with the secret, or set neither.',
        unset: "the machine's own role or profile",
      },
      PLINTH_S3_SECRET_ACCESS_KEY: {
        about: 'The secret of that access key.',
        unset: "the machine's own role or profile",
      },
      PLINTH_S3_PREFIX: {
        about: 'The prefix of all keys in the bucket, such as `plinth/production`.',
      },
      PLINTH_BACKUPS: {
        about:
          'The folder for backups of the databases of projects. Put it on another disk if you can. The archive for point-in-time recovery stays beside each database.',
        unset: '`PLINTH_HOME/backups`',
      },
      PLINTH_TRASH_DAYS: {
        about:
          'How many days the people of an organization can restore a deleted project or branch. Its data stays on the disk during this time. With 0, Plinth removes it at once.',
      },
      PLINTH_LOGS: {
        about:
          'The folder for the logs of all projects. The folder `log-drains` beside it records what log drains have sent. Several data planes on one machine must share one folder.',
        unset: '`PLINTH_HOME/logs`',
      },
      PLINTH_LOG_GB: {
        about:
          'The maximum size of the logs of all projects together, in gigabytes. Beyond it, Plinth deletes the oldest days of the project that has the most.',
        unset: '10% of the disk, at most 20',
      },
      PLINTH_LARGEST_IMPORT: {
        about:
          'The maximum size in bytes of one file that is imported into a table. The default is 10 GB.',
      },
    },
  },
  {
    title: 'Databases and edge functions',
    settings: {
      PLINTH_POSTGRES_DIR: {
        about:
          'The folder of a PostgreSQL 17 whose programs and extensions projects use, such as `/usr/lib/postgresql/17` ([more extensions](operating.md#more-extensions)). Plinth copies it once for each version of it. The platform database does not use it.',
        unset: 'the PostgreSQL that comes with Plinth',
      },
      PLINTH_OUTPUT_PLUGINS: {
        about:
          'Additional output plugins that replication slots of customers may use, separated by commas. `pgoutput` and `test_decoding` are always allowed. A change takes effect in a project at its next start.',
      },
      PLINTH_REPLICA_LAG: {
        about:
          'The maximum replication lag in seconds. The data API sends no read to a read replica that may be further behind; the primary answers it.',
      },
      PLINTH_FUNCTIONS_ALLOWED_NETWORKS: {
        about:
          'Addresses, ranges and host names of the inner network, separated by commas, that edge functions may reach ([what edge functions reach](operating.md#what-edge-functions-reach)).',
        unset: 'none',
      },
      PLINTH_DATABASES_ALLOWED_NETWORKS: {
        about:
          'Addresses and ranges of the inner network, separated by commas, that databases of projects may reach. It matters on machines where Plinth blocks the inner network for databases ([what databases reach](operating.md#what-databases-reach)).',
        unset: 'none',
      },
      PLINTH_LOG_DRAINS_ALLOWED_NETWORKS: {
        about:
          'Addresses, ranges and host names of the inner network, separated by commas, that log drains may send to, there also over plain `http://` ([what log drains reach](operating.md#what-log-drains-reach)). The control plane and each data plane need the same list.',
        unset: 'none',
      },
    },
  },
]
