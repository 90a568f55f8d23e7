import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { graphqlConsole, type GraphqlAnswer } from '#contract/data-api/graphql-console'
import { call, type CallError } from '../../../api/client.ts'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { remember, type Draft } from './console-state.ts'
import { operationAt, variablesOf } from './document.ts'
import { asOf } from './queries.ts'

type Asked = { draft: Draft; offset: number; as: Impersonation | undefined }

/** What came back: the answer as text, how long it took in ms, and whether GraphQL found errors. */
export type Result = { text: string; ms: number; failed: boolean }

export class WrongVariables extends Error {
  constructor() {
    super('The variables have to be a JSON object, such as {"id": 1}.')
  }
}

/** Runs a document. What is asked while another answer is still waited for gives that one up. */
export function useGraphqlRun(ref: string, issuer: string) {
  const running = useRef<AbortController>(undefined)
  const { mutate, data, error, isPending } = useMutation<Result, CallError | Error, Asked>({
    mutationFn: async ({ draft, offset, as }) => {
      running.current?.abort()
      const controller = (running.current = new AbortController())
      const variables = variablesOf(draft.variables)
      if (!variables) throw new WrongVariables()
      const operationName = operationAt(draft.query, offset)
      const since = performance.now()
      const answer = await call(
        graphqlConsole.run,
        {
          ref,
          query: draft.query,
          variables,
          as: asOf(as, issuer),
          ...(operationName === undefined ? {} : { operationName }),
        },
        { signal: controller.signal },
      )
      remember(ref, draft)
      return resultOf(answer, performance.now() - since)
    },
  })
  return { run: mutate, result: data, error, running: isPending }
}

const resultOf = (answer: GraphqlAnswer, ms: number): Result => ({
  text: JSON.stringify(answer, null, 2),
  ms,
  failed: (answer.errors ?? []).length > 0,
})
