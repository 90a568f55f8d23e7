import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'

const { PROJECT_URL, PUBLISHABLE_KEY } = process.env
const supabase = createClient(PROJECT_URL, PUBLISHABLE_KEY, {
  // Node 20 has no WebSocket of its own. From Node 22 on, leave this line and the import of ws out.
  realtime: { transport: WebSocket },
})

const added = await supabase.from('books').insert({ title: 'Parable of the Sower', year: 1993 })
if (added.error) throw added.error

const { data, error } = await supabase.from('books').select('title, year').order('year')
if (error) throw error
for (const { title, year } of data) console.log(year, title)
