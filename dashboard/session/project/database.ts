import { queryOptions } from '@tanstack/react-query'
import type { Endpoint, Input, Output } from '#contract/endpoint'
import { addressOf } from '../../api/address.ts'
import { send } from '../../api/http.ts'
import {
  call,
  fresh,
  queryClient,
  useChange,
  type CallError,
  type ChangeOptions,
} from '../../api/client.ts'
import { projectQuery } from './project.ts'

type OfProject = { ref: string }

/** What every call about a project's database carries: the marker of its connection, from the project's details. */
export async function connectionHeaders(ref: string): Promise<Record<string, string>> {
  const { connectionString } = await queryClient.ensureQueryData(projectQuery(ref))
  return connectionString ? { 'x-connection-encrypted': connectionString } : {}
}

/** `call` for an endpoint below /platform/pg-meta. */
export async function callDatabase<E extends Endpoint>(
  endpoint: E,
  input: Input<E> & OfProject,
  signal?: AbortSignal,
): Promise<Output<E>> {
  return call(endpoint, input, { headers: await connectionHeaders(input.ref), signal })
}

/** The same for an endpoint whose answer is text, such as generated code. */
export async function databaseText<E extends Endpoint>(
  endpoint: E,
  input: Input<E> & OfProject,
): Promise<string> {
  // The contract says that an input is an object; its exact keys do not matter here.
  const { path, body } = addressOf(endpoint, input as Record<string, unknown>)
  const headers = { accept: 'text/plain', ...(await connectionHeaders(input.ref)) }
  return (await send({ method: endpoint.method, path, body, headers })).text()
}

/** `q` for an endpoint below /platform/pg-meta. */
export function databaseQuery<E extends Endpoint>(
  endpoint: E,
  input: Input<E> & OfProject,
  staleTime = fresh.default,
) {
  return queryOptions<Output<E>, CallError>({
    queryKey: [endpoint.name, input],
    queryFn: ({ signal }) => callDatabase(endpoint, input, signal),
    staleTime,
  })
}

/** `useCall` for an endpoint below /platform/pg-meta. */
export const useDatabaseCall = <E extends Endpoint>(
  endpoint: E,
  options?: ChangeOptions<Output<E>, Input<E> & OfProject>,
) => useChange<Output<E>, Input<E> & OfProject>((input) => callDatabase(endpoint, input), options)
