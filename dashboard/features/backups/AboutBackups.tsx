import { Card } from '../../ui/Card.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'

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
          setting of the database. Each is started in a server of its own and read to the end; only
          when its rows agree it is called completed.
        </p>
        <p>
          They hold the database only. Files in storage are not in them, though the rows that name
          the files are; neither are edge functions, keys or settings of the project.
        </p>
        <p>
          A download is a data directory for Postgres 17, with the log that it needs: unpacked, a
          Postgres of that version starts from it directly, with the passwords of that time. It is
          no list of SQL statements.
        </p>
        <CodeBlock code={commands} language="text" what="commands" />
      </div>
    </Card>
  )
}
