import { Card } from '../../../ui/Card.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'

const commands = `mkdir -m 700 restored
tar -xzf backup.tar.gz -C restored
postgres -D restored -p 5433 &
psql -h 127.0.0.1 -p 5433 -U postgres`

/** What a backup is, what it is not, and what to do with a file of one. */
export function AboutBackups() {
  return (
    <Card title="What a backup holds">
      <div className="form-stack">
        <p>
          Backups are physical: a copy of the whole Postgres server, with every schema, role and
          setting of the database. Each is started on its own server and read to the end. It counts
          as completed only if its rows match.
        </p>
        <p>
          They contain only the database. They include the rows that name storage files, but not the
          files themselves, edge functions, keys or settings of the project.
        </p>
        <p>
          A download is a data directory for Postgres 17, with the WAL that it needs. Unpack it, and
          Postgres of that version starts from it directly, with the passwords of that time. It is
          not a list of SQL statements.
        </p>
        <CodeBlock code={commands} language="text" what="commands" />
      </div>
    </Card>
  )
}
