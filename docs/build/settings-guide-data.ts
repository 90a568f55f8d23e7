import type { SettingGroup } from './setting-group.ts'

/** What projects store, import and run. */
export const dataSettings: readonly SettingGroup[] = [
  {
    title: 'Stored files and backups',
    settings: {
      PLINTH_STORAGE: {
        about:
          'The folder for the files that projects store, one subfolder for each. Several data planes, or a control plane on another machine, need one folder that all of them share.',
        unset: '`PLINTH_HOME/storage`',
      },
      PLINTH_LARGEST_UPLOAD: {
        about:
          'Bytes of one stored object; the default is 50 GiB. Plans, projects and buckets may allow less.',
      },
      PLINTH_S3_BUCKET: {
        about:
          'A bucket on any server of the S3 protocol for the files that projects store, in place of the folder ([stored files in a bucket](operating.md#what-projects-store-in-a-bucket)).',
        unset: 'the folder',
      },
      PLINTH_S3_ENDPOINT: {
        about: 'The address of that server, such as `https://s3.example.com`.',
        unset: 'that of Amazon S3',
      },
      PLINTH_S3_REGION: { about: 'The region of the bucket.', unset: '`us-east-1`' },
      PLINTH_S3_ACCESS_KEY_ID: {
        about: 'The access key. Set both parts of it or neither.',
        unset: "the machine's own role or profile",
      },
      PLINTH_S3_SECRET_ACCESS_KEY: {
        about: 'The secret of that access key.',
        unset: "the machine's own role or profile",
      },
      PLINTH_S3_PREFIX: {
        about: 'What all keys in the bucket begin with, such as `plinth/production`.',
      },
      PLINTH_BACKUPS: {
        about:
          "The folder for backups of the projects' databases, better on another disk. The archive for point-in-time recovery stays beside each database.",
        unset: '`PLINTH_HOME/backups`',
      },
      PLINTH_TRASH_DAYS: {
        about:
          'Days that a deleted project or branch can be restored by the people of its organization. Meanwhile its data stays on the disk. 0 removes it at once.',
      },
      PLINTH_LOGS: {
        about:
          "The folder of all projects' logs. What log drains have sent is noted in `log-drains` beside it. Several data planes on one machine need one folder that they share.",
        unset: '`PLINTH_HOME/logs`',
      },
      PLINTH_LOG_GB: {
        about:
          "Gigabytes of all projects' logs together. Beyond it the oldest days go first, of the project that has most.",
        unset: 'a tenth of the disk, and 20 at most',
      },
      PLINTH_LARGEST_IMPORT: {
        about: 'Bytes of one file that is imported into a table; the default is 10 GB.',
      },
    },
  },
  {
    title: 'Databases and edge functions',
    settings: {
      PLINTH_POSTGRES_DIR: {
        about:
          "The folder of a PostgreSQL 17 whose programs and extensions projects use, such as `/usr/lib/postgresql/17` ([more extensions](operating.md#more-extensions)). Plinth copies it once for each of its versions. The platform's own database does not use it.",
        unset: 'the PostgreSQL that comes with Plinth',
      },
      PLINTH_OUTPUT_PLUGINS: {
        about:
          'Further output plugins that replication slots of customers may use, separated by commas. `pgoutput` and `test_decoding` are always allowed. A project gets them at its next start.',
      },
      PLINTH_REPLICA_LAG: {
        about:
          'Seconds. The data API sends no read to a read replica that may be further behind; the primary answers it.',
      },
      PLINTH_FUNCTIONS_ALLOWED_NETWORKS: {
        about:
          'Addresses, ranges and host names of the inner network, separated by commas, that edge functions may reach ([what edge functions reach](operating.md#what-edge-functions-reach)).',
        unset: 'they reach none',
      },
      PLINTH_DATABASES_ALLOWED_NETWORKS: {
        about:
          'Addresses and ranges of the inner network, separated by commas, that databases of projects may reach where the machine keeps them out of it ([what databases reach](operating.md#what-databases-reach)).',
        unset: 'they reach none',
      },
      PLINTH_LOG_DRAINS_ALLOWED_NETWORKS: {
        about:
          'The same for log drains, which also send by plain `http://` there ([what log drains reach](operating.md#what-log-drains-reach)). The control plane and each data plane need the same list.',
        unset: 'they reach none',
      },
    },
  },
]
