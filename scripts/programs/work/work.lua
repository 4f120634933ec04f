-- Work for lua: a sieve, queens, closures over strings and tables, and what the garbage collector gets from them.
local function sieve(n)
    local composite, count = {}, 0
    for i = 2, n do
        if not composite[i] then
            count = count + 1
            for j = i * i, n, i do composite[j] = true end
        end
    end
    return count
end

local function queens(n)
    local column, up, down, found = {}, {}, {}, 0
    local function place(row)
        if row > n then found = found + 1 return end
        for c = 1, n do
            if not (column[c] or up[row + c] or down[row - c + n]) then
                column[c], up[row + c], down[row - c + n] = true, true, true
                place(row + 1)
                column[c], up[row + c], down[row - c + n] = nil, nil, nil
            end
        end
    end
    place(1)
    return found
end

local function words(n)
    local state, count, order = 12345, {}, {}
    local function letter()
        state = (state * 1103515245 + 12345) % 2147483648
        return string.char(97 + state // 65536 % 6)
    end
    for _ = 1, n do
        local word = letter() .. letter() .. letter()
        if not count[word] then order[#order + 1] = word end
        count[word] = (count[word] or 0) + 1
    end
    table.sort(order, function(a, b) return count[a] > count[b] or count[a] == count[b] and a < b end)
    local text = {}
    for i = 1, 10 do text[i] = order[i] .. "=" .. count[order[i]] end
    return table.concat(text, " ")
end

local size = { tonumber(arg[1]) or 20000, tonumber(arg[2]) or 6, tonumber(arg[3]) or 8000 }
print(sieve(size[1]), queens(size[2]), words(size[3]))
