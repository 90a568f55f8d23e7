import { queryOptions } from '@tanstack/react-query'
import { authConfig } from '#contract/auth/auth-config'
import { databaseFunctions } from '#contract/database/database-functions'
import { q } from '../../../api/client.ts'
import { databaseQuery } from '../../../session/project/database.ts'

export const authConfigQuery = (projectRef: string) => q(authConfig.get, { ref: projectRef })

/** More than one list shows. */
const max = 10_000

/** The functions of a schema that can be a hook, and what they are called with. */
export const hookFunctionsQuery = (ref: string, schema: string) =>
  queryOptions({
    ...databaseQuery(databaseFunctions.list, { ref, included_schemas: schema, limit: max }, 2_000),
    select: (functions) =>
      functions
        .filter(({ args, is_set_returning_function: isSet }) => {
          const inputs = args.filter(({ mode }) => mode === 'in' || mode === 'inout')
          return inputs.length === 1 && /^jsonb?$/.test(inputs[0]?.type ?? '') && !isSet
        })
        .map((one) => ({ name: one.name, args: one.identity_argument_types })),
  })
