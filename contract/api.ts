/** The whole platform API, by feature: `api.projects.list`. A new feature is a line in `endpoints.ts`. */
export * as api from './endpoints.ts'
