import { createClient } from 'npm:@supabase/supabase-js@2'

/** How many todos of the caller are open and done: `{ "open": 2, "done": 1 }`. */
Deno.serve(async (request) => {
  const authorization = request.headers.get('authorization')
  if (!authorization) return Response.json({ error: 'Sign in first' }, { status: 401 })
  // As the caller, so that the policies of the database hold here too.
  const supabase = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_ANON_KEY')!, {
    global: { headers: { authorization } },
  })
  const { data, error } = await supabase.from('todos').select('done')
  if (error) return Response.json({ error: error.message }, { status: 400 })
  const done = data.filter((todo) => todo.done).length
  return Response.json({ open: data.length - done, done })
})
