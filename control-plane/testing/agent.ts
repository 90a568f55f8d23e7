import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { supabaseMcpToolSchemas } from '@supabase/mcp-server-supabase'
import { root } from '#kit/root'

const program = join(root, 'node_modules/@supabase/mcp-server-supabase/dist/cli.js')

/** What a tool answered: its structured answer, or the words with which it failed. */
type Used = { answer: Record<string, unknown>; failure: string | undefined }
export type Agent = {
  tools: string[]
  /** Calls a tool of the public MCP server, which calls the Management API at `url`. */
  use(tool: string, input?: Record<string, unknown>): Promise<Used>
  close(): Promise<void>
}

/** The public MCP server as an agent runs it: a program of its own that is spoken to over stdio, with a token of the platform at `url`. */
export async function startAgent(url: string, token: string, ...more: string[]): Promise<Agent> {
  const groups = 'account,database,debugging,development,functions,branching,storage'
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, '--api-url', url, '--features', groups, ...more],
    env: { SUPABASE_ACCESS_TOKEN: token },
  })
  const client = new Client({ name: 'plinth-test', version: '1.0.0' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  return {
    tools: tools.map(({ name }) => name),
    async use(tool, input = {}) {
      const { content, isError } = await client.callTool({ name: tool, arguments: input })
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      if (isError) return { answer: {}, failure: text }
      const { outputSchema } = supabaseMcpToolSchemas[tool as keyof typeof supabaseMcpToolSchemas]
      return { answer: outputSchema.parse(JSON.parse(text)), failure: undefined }
    },
    close: () => client.close(),
  }
}
