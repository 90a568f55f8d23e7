import {
  connectionUri,
  encoded,
  hostIn,
  nodeUri,
  passwordIn,
  type Server,
} from './connection-uri.ts'
import { type CodeFile, lines } from './guide.ts'

export type StringType = {
  id: 'uri' | 'psql' | 'golang' | 'jdbc' | 'dotnet' | 'nodejs' | 'php' | 'python' | 'sqlalchemy'
  name: string
  install?: string
  files: (server: Server) => CodeFile[]
}

/** A value of an ADO.NET connection string: in quotes when it holds anything that ends or starts one. */
const dotnetValue = (value: string) =>
  /^[\w.[\]-]+$/.test(value) ? value : `"${value.replaceAll('"', '""')}"`

function dotnetString(server: Server): string {
  const { host, port, database, user } = server
  const parts = [
    ['Host', host],
    ['Port', String(port)],
    ['Database', database],
    ['Username', user],
    ['Password', passwordIn(server, (text) => text)],
    ...(server.sslEnforced ? [['SSL Mode', 'Require']] : []),
  ]
  return parts.map(([name, value = '']) => `${name}=${dotnetValue(value)}`).join(';')
}

function jdbcUrl(server: Server): string {
  const { host, port, database, user } = server
  const login = `user=${encoded(user)}&password=${passwordIn(server, encoded)}`
  const ssl = server.sslEnforced ? '&sslmode=require' : ''
  return `jdbc:postgresql://${hostIn(host)}:${port}/${encoded(database)}?${login}${ssl}`
}

/** A word for a POSIX shell. */
const shellWord = (word: string) =>
  /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

const one = (name: string, code: string): CodeFile[] => [{ name, language: 'text', code }]

const env = (server: Server, uri = connectionUri(server)): CodeFile => ({
  name: '.env',
  language: 'text',
  code: `DATABASE_URL=${uri}`,
})

/** What `psql -d` takes: the name of a database, or words that say more. */
const psqlDatabase = ({ database, sslEnforced }: Server) =>
  shellWord(sslEnforced ? `dbname=${database} sslmode=require` : database)

/** The kinds of connection string, in the order in which they are offered (facts §10). */
export const stringTypes: readonly StringType[] = [
  { id: 'uri', name: 'URI', files: (server) => one('URI', connectionUri(server)) },
  {
    id: 'psql',
    name: 'PSQL',
    files: (server) =>
      one(
        'Terminal',
        `psql -h ${shellWord(server.host)} -p ${server.port} -d ${psqlDatabase(server)} -U ${shellWord(server.user)}`,
      ),
  },
  {
    id: 'golang',
    name: 'Golang',
    install: 'go get github.com/jackc/pgx/v5',
    files: (server) => [
      env(server),
      {
        name: 'main.go',
        language: 'text',
        code: lines(
          `package main`,
          ``,
          `import (`,
          `	"context"`,
          `	"log"`,
          `	"os"`,
          ``,
          `	"github.com/jackc/pgx/v5/pgxpool"`,
          `)`,
          ``,
          `func main() {`,
          `	ctx := context.Background()`,
          `	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))`,
          `	if err != nil {`,
          `		log.Fatal(err)`,
          `	}`,
          `	defer pool.Close()`,
          ``,
          `	var version string`,
          `	if err := pool.QueryRow(ctx, "select version()").Scan(&version); err != nil {`,
          `		log.Fatal(err)`,
          `	}`,
          `	log.Println(version)`,
          `}`,
        ),
      },
    ],
  },
  { id: 'jdbc', name: 'JDBC', files: (server) => one('JDBC URL', jdbcUrl(server)) },
  {
    id: 'dotnet',
    name: '.NET',
    install: 'dotnet add package Npgsql',
    files: (server) => [
      {
        name: 'appsettings.json',
        language: 'js',
        code: JSON.stringify({ ConnectionStrings: { Project: dotnetString(server) } }, null, 2),
      },
      {
        name: 'Program.cs',
        language: 'text',
        code: lines(
          `using Npgsql;`,
          ``,
          `var builder = WebApplication.CreateBuilder(args);`,
          `var address = builder.Configuration.GetConnectionString("Project")!;`,
          `await using var source = NpgsqlDataSource.Create(address);`,
          `await using var command = source.CreateCommand("select version()");`,
          `Console.WriteLine(await command.ExecuteScalarAsync());`,
        ),
      },
    ],
  },
  {
    id: 'nodejs',
    name: 'Node.js',
    install: 'npm install pg',
    files: (server) => [
      env(server, nodeUri(server)),
      {
        name: 'db.js',
        language: 'js',
        code: lines(
          `import pg from 'pg'`,
          ``,
          `export const pool = new pg.Pool({`,
          `  connectionString: process.env.DATABASE_URL,`,
          `  max: 5,`,
          `})`,
          `// An idle connection may break.`,
          `pool.on('error', (error) => console.error(error.message))`,
          ``,
          `const { rows } = await pool.query('select version()')`,
          `console.log(rows[0].version)`,
        ),
      },
    ],
  },
  {
    id: 'php',
    name: 'PHP',
    files: (server) => [
      env(server),
      {
        name: 'db.php',
        language: 'text',
        code: lines(
          `<?php`,
          `$url = parse_url(getenv('DATABASE_URL'));`,
          `$pdo = new PDO(`,
          `    sprintf(`,
          `        'pgsql:host=%s;port=%d;dbname=%s${server.sslEnforced ? ';sslmode=require' : ''}',`,
          `        trim($url['host'], '[]'), $url['port'], rawurldecode(substr($url['path'], 1)),`,
          `    ),`,
          `    rawurldecode($url['user']),`,
          `    rawurldecode($url['pass']),`,
          `    [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION],`,
          `);`,
          `echo $pdo->query('select version()')->fetchColumn();`,
        ),
      },
    ],
  },
  {
    id: 'python',
    name: 'Python',
    install: 'pip install "psycopg[binary]"',
    files: (server) => [
      env(server),
      {
        name: 'main.py',
        language: 'text',
        code: lines(
          `import os`,
          ``,
          `import psycopg`,
          ``,
          `with psycopg.connect(os.environ["DATABASE_URL"]) as connection:`,
          `    version = connection.execute("select version()").fetchone()`,
          `    print(version[0])`,
        ),
      },
    ],
  },
  {
    id: 'sqlalchemy',
    name: 'SQLAlchemy',
    install: 'pip install sqlalchemy "psycopg[binary]"',
    files: (server) => [
      env(server, connectionUri(server, 'postgresql+psycopg')),
      {
        name: 'main.py',
        language: 'text',
        code: lines(
          `import os`,
          ``,
          `from sqlalchemy import create_engine, text`,
          ``,
          `engine = create_engine(os.environ["DATABASE_URL"], pool_size=5)`,
          ``,
          `with engine.connect() as connection:`,
          `    print(connection.execute(text("select version()")).scalar_one())`,
        ),
      },
    ],
  },
]
