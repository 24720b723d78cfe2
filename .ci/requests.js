// `requests.js URL COUNT` sends queries to a server, four at a time, as the user admin.
const [url, requests] = process.argv.slice(2);
const QUERY = `query ($name: String!, $first: Int!) {
  numbers(first: $first) { edges { node { ref telUrl gateway { name } } } }
  gateways(first: $first, where: { name: { contains: $name } }) { edges { node { ref host } } }
}`;

async function main() {
  const basic = `Basic ${Buffer.from('admin:the-admin-secret').toString('base64')}`;
  const token = await (
    await fetch(new URL('/api/v1beta1/credentials', url), { headers: { authorization: basic } })
  ).text();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  let count = 0;
  const some = async () => {
    while (count < Number(requests)) {
      const variables = { name: String(count++), first: 1 + (count % 30) };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: QUERY, variables }) });
      const { data, errors } = await answer.json();
      if (errors || data.numbers.edges.length === 0) throw new Error(JSON.stringify({ data, errors }));
    }
  };
  await Promise.all(Array.from({ length: 4 }, some));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
