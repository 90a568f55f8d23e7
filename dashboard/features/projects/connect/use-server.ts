import { useState } from 'react'
import type { Project } from '#contract/projects/projects'
import type { Server } from './connection-uri.ts'

export type ServerChoice = {
  server: Server
  onPassword: (password: string) => void
}

/** Where the project's Postgres is. The password is the person's own to put in: it is stored nowhere readable. */
export function useServer(project: Pick<Project, 'db_host' | 'db_port'>): ServerChoice {
  const [password, setPassword] = useState('')
  const { db_host: host, db_port: port } = project
  return {
    server: { host, port: port ?? 5432, database: 'postgres', user: 'postgres', password },
    onPassword: setPassword,
  }
}
