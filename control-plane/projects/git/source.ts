/** Each is sealed for the project's own row. */
export const tokenIdentity = (projectId: string) => `git token ${projectId}`
export const secretIdentity = (projectId: string) => `git secret ${projectId}`
