import { randomBytes } from 'node:crypto'

/** Registers and logs somebody in; answers the API key. */
export async function newApiKey(url: string): Promise<string> {
  const name = `bench${randomBytes(5).toString('hex')}`
  const user = { username: name, email: `${name}@gmail.com`, password: 'rahasia-sekali' }
  const post = (path: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    })
  await post('/auth/register')
  const answer = (await (await post('/auth/login')).json()) as { user: { apiKey: string } }
  return answer.user.apiKey
}
