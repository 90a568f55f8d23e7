/**
 * The whole platform API, by feature: `api.projects.list`. A new feature is a line in `endpoints.ts`. The dashboard imports
 * the features that it needs, not this.
 */
export * as api from './endpoints.ts'
