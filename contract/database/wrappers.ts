export type WrapperEntry = {
  /** The wrapper in Postgres; for those that share one library, the name it goes by there. */
  name: string
  label: string
  about: string
  /** What a server of it is told; undefined for what this build cannot set up. */
  serverOptions?: readonly WrapperOption[]
  /** What a login there is told. */
  mappingOptions?: readonly WrapperOption[]
  /** What a foreign table is told. */
  tableOptions?: readonly WrapperOption[]
  /** Whether whole schemas of the other side can be taken over. */
  imports?: boolean
}

export type WrapperOption = {
  name: string
  label: string
  required?: boolean
  secret?: boolean
  placeholder?: string
}

/** Wrappers that come with Postgres itself; this is what can be set up here. */
export const postgresWrappers: readonly WrapperEntry[] = [
  {
    name: 'postgres_fdw',
    label: 'Postgres',
    about: 'Tables of another Postgres database, read and changed as if they were here.',
    imports: true,
    serverOptions: [
      { name: 'host', label: 'Host', required: true, placeholder: 'db.example.com' },
      { name: 'port', label: 'Port', placeholder: '5432' },
      { name: 'dbname', label: 'Database', required: true, placeholder: 'postgres' },
      { name: 'sslmode', label: 'SSL mode', placeholder: 'require' },
    ],
    mappingOptions: [
      { name: 'user', label: 'Remote user', required: true },
      { name: 'password', label: 'Remote password', required: true, secret: true },
    ],
    tableOptions: [
      { name: 'schema_name', label: 'Remote schema', placeholder: 'public' },
      { name: 'table_name', label: 'Remote table' },
    ],
  },
  {
    name: 'file_fdw',
    label: 'Files',
    about: "A CSV or text file on the server's own disk, read as a table.",
    serverOptions: [],
    tableOptions: [
      { name: 'filename', label: 'File', required: true, placeholder: '/data/books.csv' },
      { name: 'format', label: 'Format', placeholder: 'csv' },
      { name: 'header', label: 'Header line', placeholder: 'true' },
      { name: 'delimiter', label: 'Delimiter', placeholder: ',' },
    ],
  },
]
