/**
 * The setting by which a request is found in the log of a project's server: each entry that the server writes while the
 * request's transaction runs has it (`parsed.application_name`). It ends with the transaction; no id, no setting.
 */
export const requestNameSetting = (requestId: string | undefined): (readonly [string, string])[] =>
  requestId === undefined ? [] : [['application_name', `r:${requestId}`]]

/** The id of the request that such a name stands for; undefined for every other name. */
export const requestOfName = (name: string | undefined): string | undefined =>
  /^r:([\w-]{1,64})$/.exec(name ?? '')?.[1]
