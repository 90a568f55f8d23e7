import { connectionUri, nodeUri, type Server } from './connection-uri.ts'
import { guide, lines, type AppProject, type CodeFile, type Guide } from './guide.ts'
import { next } from './guides-next.ts'
import { astro, nuxt, solid, sveltekit, vue } from './guides-others.ts'
import { react, refine, remix } from './guides-react.ts'

/** In the order in which they are offered (facts §10). */
export const appGuides: readonly Guide<AppProject>[] = [
  next,
  remix,
  react,
  nuxt,
  vue,
  sveltekit,
  solid,
  astro,
  refine,
]

const env = (uri: string): CodeFile => ({
  name: '.env',
  language: 'text',
  code: `DATABASE_URL=${uri}`,
})

/** Object-relational mappers: they speak to Postgres itself, so they take its connection string. */
export const ormGuides: readonly Guide<Server>[] = [
  guide('prisma', 'Prisma', {
    install: 'npm install -D prisma@6 && npm install @prisma/client@6',
    note: 'Then `npx prisma db pull` reads your tables, and `npx prisma generate` creates the client.',
    files: (server) => [
      env(connectionUri(server)),
      {
        name: 'prisma/schema.prisma',
        language: 'js',
        code: lines(
          `generator client {`,
          `  provider = "prisma-client-js"`,
          `}`,
          ``,
          `datasource db {`,
          `  provider = "postgresql"`,
          `  url      = env("DATABASE_URL")`,
          `}`,
        ),
      },
    ],
  }),
  guide('drizzle', 'Drizzle', {
    install: 'npm install drizzle-orm pg && npm install -D drizzle-kit',
    note: 'Then `npx drizzle-kit pull` reads your tables.',
    files: (server) => [
      env(nodeUri(server)),
      {
        name: 'drizzle.config.ts',
        language: 'js',
        code: lines(
          `import { defineConfig } from 'drizzle-kit'`,
          ``,
          `export default defineConfig({`,
          `  dialect: 'postgresql',`,
          `  out: './drizzle',`,
          `  schema: './src/schema.ts',`,
          `  schemaFilter: ['public'],`,
          `  dbCredentials: { url: process.env.DATABASE_URL! },`,
          `})`,
        ),
      },
      {
        name: 'src/schema.ts',
        language: 'js',
        code: lines(
          `import { bigint, pgTable, text } from 'drizzle-orm/pg-core'`,
          ``,
          `export const notes = pgTable('notes', {`,
          `  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),`,
          `  title: text().notNull(),`,
          `})`,
        ),
      },
      {
        name: 'src/index.ts',
        language: 'js',
        code: lines(
          `import { drizzle } from 'drizzle-orm/node-postgres'`,
          `import { notes } from './schema'`,
          ``,
          `const db = drizzle(process.env.DATABASE_URL!)`,
          `console.log(await db.select().from(notes))`,
        ),
      },
    ],
  }),
]
