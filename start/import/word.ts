import type { Word } from '../manage/manage-word.ts'
import { importOptions } from './options.ts'
import { runImport } from './run.ts'

export const importWords: Readonly<Record<string, Word>> = {
  import: {
    takes: [
      'REF [--db-password TEXT] [--from-db-url postgresql://…] [--from-url URL --from-service-key KEY]',
      '[--from-access-token TOKEN --from-ref REF [--from-api URL]] [--from-jwt-secret TEXT]',
      '[--only schema,auth,data,storage,functions,secrets,keys] [--schemas a,b] [--dry-run] [--yes]',
    ].join('\n      '),
    does: 'Brings a Supabase project over into a project: run it again and it resumes where it stopped',
    max: 1,
    run: (rest, context) =>
      runImport(importOptions(rest, context.flags, context.environment), context),
  },
}
