import type { Command } from '../manage/manage-command.ts'
import { importOptions } from './options.ts'
import { runImport } from './run.ts'

export const importCommands: Readonly<Record<string, Command>> = {
  import: {
    takes: [
      'REF [--db-password TEXT] [--from-db-url postgresql://…] [--from-url URL --from-service-key KEY]',
      '[--from-access-token TOKEN --from-ref REF [--from-api URL]] [--from-jwt-secret TEXT]',
      '[--only schema,auth,data,storage,functions,secrets,keys] [--schemas a,b] [--dry-run] [--yes]',
    ].join('\n      '),
    does: 'Imports a Supabase project into a project; run it again to resume where it stopped',
    max: 1,
    run: (rest, context) =>
      runImport(importOptions(rest, context.flags, context.environment), context),
  },
}
