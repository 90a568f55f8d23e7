import type { TestDataPlane } from './data-plane.ts'

/** Requests with a token of somebody's, for tests about whose tokens count. The plane is asked for when it is there. */
export function bearerCalls(plane: () => Pick<TestDataPlane, 'url' | 'project'>) {
  const ask = (path: string, bearer: string, body?: object) =>
    fetch(plane().url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        apikey: plane().project.anonKey,
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })

  return {
    ask,
    /** What the services answer: the status of the data API, of GraphQL, and the code of the auth service, which knows no such session. */
    async answers(bearer: string) {
      const all = await Promise.all([
        ask('/rest/v1/mine?select=id', bearer),
        ask('/graphql/v1', bearer, { query: '{ __typename }' }),
        ask('/auth/v1/user', bearer),
      ])
      const { error_code: code } = (await all[2].json()) as { error_code?: string }
      return [all[0].status, all[1].status, code]
    },
  }
}
