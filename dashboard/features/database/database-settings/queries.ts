import { databaseServer } from '#contract/database/database-server'
import { databaseSsl } from '#contract/database/database-ssl'
import { projects } from '#contract/projects/projects'
import { q } from '../../../api/client.ts'
import { databaseQuery } from '../../../session/project/database.ts'

export const serverQuery = (ref: string) => databaseQuery(databaseServer.detail, { ref }, 5_000)
export const settingsQuery = (ref: string) => q(projects.settings, { ref })
export const sslQuery = (ref: string) => q(databaseSsl.get, { ref })
